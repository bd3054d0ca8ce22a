import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import type { EndFacts, EndOracle, Finding } from "./oracle.ts";

export const noQuiescence: EndOracle = {
  name: "NO-QUIESCENCE",
  title: "replicas in sync differ, or never come to rest",
  tier: "end",
  kind: "end",
  summary:
    "Two replicas are in sync by version and show different values, or a second exchange of the same still changes something",
  judge: (facts) => (facts.moment === "after the second round" ? changedAgain(facts) : differentInSync(facts)),
};

function differentInSync({ replicas }: EndFacts): Finding | undefined {
  for (const [index, one] of replicas.entries()) {
    if (one.version === undefined) continue;
    for (const other of replicas.slice(index + 1)) {
      if (!same(one.version, other.version) || same(one.value, other.value)) continue;
      return {
        expected: `${other.id}, in sync with ${one.id} at version ${show(one.version)}, shows ${show(one.value)}`,
        actual: show(other.value),
      };
    }
  }
  return undefined;
}

function changedAgain({ replicas }: EndFacts): Finding | undefined {
  for (const { id, value, valueBefore, state, stateBefore } of replicas) {
    if (value !== valueBefore && !same(value, valueBefore)) {
      return {
        expected: `${id} still shows ${show(valueBefore)} after a second exchange of the same`,
        actual: show(value),
      };
    }
    if (state !== stateBefore && !same(state, stateBefore)) {
      return {
        expected: `${id} keeps its state in a second exchange of the same: ${show(stateBefore)}`,
        actual: show(state),
      };
    }
  }
  return undefined;
}
