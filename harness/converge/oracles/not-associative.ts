import { difference, take } from "./laws.ts";
import type { LawOracle } from "./oracle.ts";

export const notAssociative: LawOracle = {
  name: "NOT-ASSOCIATIVE",
  title: "the grouping of merges makes a difference",
  tier: "deep",
  kind: "law",
  summary: "Merging a with b, then c, ends differently than merging a with what b and c made together",
  judge(lab) {
    for (const [one, other, third] of lab.triples()) {
      if (![one, other, third].every((region) => lab.isSettled(region))) continue;
      const [b, c] = [lab.full(lab.original(other)), lab.full(lab.original(third))];
      const stepwise = lab.fed(one, b);
      if (stepwise === undefined || !take(stepwise, c)) continue;
      const together = lab.fed(other, c);
      if (together === undefined) continue;
      const grouped = lab.copy(one);
      if (!take(grouped, lab.full(together))) continue;
      const [x, y, z] = [lab.ids[one], lab.ids[other], lab.ids[third]];
      const finding = difference(stepwise, grouped, { right: `(${x} + ${y}) + ${z}`, wrong: `${x} + (${y} + ${z})` });
      if (finding !== undefined) return { region: one, ...finding };
    }
    return undefined;
  },
};
