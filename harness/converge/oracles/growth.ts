import type { EndOracle } from "./oracle.ts";

export const growth: EndOracle = {
  name: "GROWTH",
  title: "garbage is never collected",
  tier: "deep",
  kind: "end",
  summary: "Tombstones are left after a collection when every region has seen everything",
  judge({ moment, replicas }) {
    if (moment !== "after the collection") return undefined;
    const full = replicas.find(({ tombstones }) => tombstones !== undefined && tombstones > 0);
    if (full === undefined) return undefined;
    return {
      expected: `no tombstones at ${full.id} after a collection with a cut that covers everything`,
      actual: `${full.tombstones}`,
    };
  },
};
