import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import type { EndOracle } from "./oracle.ts";

export const diverged: EndOracle = {
  name: "DIVERGED",
  title: "replicas that exchanged everything show different values",
  tier: "end",
  kind: "end",
  summary: "After the final exchange two replicas show different values",
  judge({ moment, replicas }) {
    if (moment !== "after the exchange") return undefined;
    const [first, ...others] = replicas;
    const other = others.find(({ value }) => !same(first!.value, value));
    if (other === undefined) return undefined;
    return {
      expected: `${other.id} shows what ${first!.id} shows: ${show(first!.value)}`,
      actual: show(other.value),
    };
  },
};
