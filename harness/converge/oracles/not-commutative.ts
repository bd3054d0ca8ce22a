import { difference, take } from "./laws.ts";
import type { Lab, LawFinding, LawOracle } from "./oracle.ts";

export const notCommutative: LawOracle = {
  name: "NOT-COMMUTATIVE",
  title: "the order of merges makes a difference",
  tier: "deep",
  kind: "law",
  summary: "Two replicas that merge each other, or a third that takes both in either order, end differently",
  judge(lab) {
    for (const [one, other] of lab.pairs()) {
      const finding = mergeEachOther(lab, one, other);
      if (finding !== undefined) return finding;
    }
    for (const [one, other, third] of lab.triples()) {
      for (const encoding of lab.encodings) {
        const finding = eitherOrder(lab, encoding, one, other, third);
        if (finding !== undefined) return finding;
      }
    }
    return undefined;
  },
};

function mergeEachOther(lab: Lab, one: number, other: number): LawFinding | undefined {
  if (!lab.isSettled(one) || !lab.isSettled(other)) return undefined;
  const message = lab.full(lab.original(other));
  const left = lab.fed(one, message);
  const right = left && lab.fed(other, lab.full(lab.original(one)));
  if (left === undefined || right === undefined) return undefined;
  const [a, b] = [lab.ids[one]!, lab.ids[other]!];
  const finding = difference(left, right, { right: `${a} merged with ${b}`, wrong: `${b} merged with ${a}` });
  if (finding === undefined) lab.keep(one, left, message);
  return finding && { region: other, ...finding };
}

function eitherOrder(lab: Lab, encoding: string, one: number, other: number, third: number): LawFinding | undefined {
  if (![one, other, third].every((region) => lab.isSettled(region))) return undefined;
  const first = lab.message(encoding, one, third);
  const second = lab.message(encoding, other, third);
  const left = lab.fed(third, first);
  const right = left && lab.fed(third, second);
  if (left === undefined || right === undefined || !take(left, second) || !take(right, first)) return undefined;
  const [a, b, c] = [lab.ids[one], lab.ids[other], lab.ids[third]];
  const finding = difference(left, right, { right: `${c} with ${a}, then ${b}`, wrong: `${c} with ${b}, then ${a}` });
  return finding && { region: third, ...finding };
}
