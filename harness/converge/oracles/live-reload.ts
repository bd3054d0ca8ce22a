import { difference } from "./laws.ts";
import type { Lab, LawFinding, LawOracle } from "./oracle.ts";

export const liveReload: LawOracle = {
  name: "LIVE-RELOAD",
  title: "it is another after it was saved and loaded",
  tier: "deep",
  kind: "law",
  summary: "A replica shows or holds something else than the same replica saved and loaded",
  judge(lab) {
    for (const region of lab.ids.keys()) {
      const finding = reloadRegion(lab, region);
      if (finding !== undefined) return finding;
    }
    return undefined;
  },
};

/** Judges one region, as the step tier does with `--oracles all`. */
export function reloadRegion(lab: Lab, region: number): LawFinding | undefined {
  if (!lab.savesAll(region)) return undefined;
  const id = lab.ids[region]!;
  const reloaded = lab.reload(region);
  const finding = difference(lab.original(region), reloaded, { right: id, wrong: `${id}, saved and loaded,` });
  lab.keep(region, reloaded);
  return finding && { region, ...finding };
}
