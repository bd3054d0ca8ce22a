import type { Check, Evidence, Finding } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import { greatest, groupBy, lockRounds } from "./arms.ts";
import { plannedKill } from "./beliefs.ts";
import { type ExecutionEffect, effectsByJob } from "./effects.ts";
import { remember } from "./remember.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { count, excerpt, worker } from "./words.ts";

/** A job that had more than one effect. */
export interface Duplicate {
  index: RoundIndex;
  job: string;
  /** In the order in which they were sent. */
  effects: readonly ExecutionEffect[];
  /**
   * `concurrent`: two of its executions worked at the same time. `sequential`: none did. `inherent`: sequential, and
   * each one more came after a planned kill or an unknown acknowledgement of the one before; any lock has those.
   */
  class: "concurrent" | "sequential" | "inherent";
  /** The two executions that show it best. */
  pair: readonly [ExecutionEffect, ExecutionEffect];
}

/** A job has its effect once. */
export const duplicates: Check = {
  name: "duplicates",
  summary: "Every job has its effect at most once",
  classes: {
    concurrent: "Two executions of a job worked at the same time, and both had their effect",
    sequential: "A job was executed again after an execution had had its effect",
    inherent: "Executed again after a planned kill or an unknown acknowledgement: any lock has these",
  },
  check(run) {
    const found = lockRounds(run).flatMap((armRound) => duplicatesOf(indexRound(armRound)));
    const groups = groupBy(found, ({ index, class: kind }) => `${index.armRound.arm}\n${kind}`);
    return [...groups.values()].map(toFinding);
  },
};

/** Every job of an arm's round with more than one effect; of controls too, where they are power. */
export const duplicatesOf = remember((index: RoundIndex): readonly Duplicate[] =>
  [...effectsByJob(index)].flatMap(([job, effects]) => (effects.length > 1 ? [classify(index, job, effects)] : [])),
);

function classify(index: RoundIndex, job: string, effects: readonly ExecutionEffect[]): Duplicate {
  const concurrent = overlappingPair(effects);
  if (concurrent) return { index, job, effects, class: "concurrent", pair: concurrent };
  const pairs = effects.slice(1).map((effect, before) => [effects[before]!, effect] as const);
  const blamed = pairs.find(([before]) => !excuse(index, before));
  return { index, job, effects, class: blamed ? "sequential" : "inherent", pair: blamed ?? pairs[0]! };
}

/** The first pair that worked at the same time. A job has few executions: every pair is looked at. */
function overlappingPair(effects: readonly ExecutionEffect[]): readonly [ExecutionEffect, ExecutionEffect] | undefined {
  for (const [position, first] of effects.entries()) {
    for (const second of effects.slice(position + 1)) {
      if (first.startNs < second.endNs && second.startNs < first.endNs) return [first, second];
    }
  }
  return undefined;
}

/** The event after which any lock would let the job run again: the end of its execution is known to nobody. */
function excuse(index: RoundIndex, { steps }: ExecutionEffect): HistoryEvent | undefined {
  if (!steps || steps.acks.some(({ end }) => end?.phase === "ok")) return undefined;
  const unknown = steps.acks.find(({ end }) => end?.phase === "info" && end.outcome === "unknown");
  if (unknown) return unknown.end;
  const incarnation = index.incarnations.get(`${steps.worker}.${steps.incarnation}`);
  return incarnation && plannedKill(index, incarnation)?.event;
}

const EXPLANATIONS: Record<Duplicate["class"], string> = {
  concurrent: "two executions worked at the same time",
  sequential: "the job ran again after its effect",
  inherent: "the job ran again after a planned kill or an unknown acknowledgement, which no lock can prevent",
};

function toFinding(found: readonly Duplicate[]): Finding {
  const worst = greatest(found, ({ effects }) => effects.length);
  const { index, class: kind, job, effects } = worst;
  const others = found.length > 1 ? ` ${count(found.length, "job")} in all.` : "";
  return {
    check: duplicates.name,
    class: kind,
    arm: index.armRound.arm,
    count: found.length,
    message: `Job ${job} had its effect ${effects.length} times: ${EXPLANATIONS[kind]}.${others}`,
    ...(kind === "inherent" ? { inherent: true } : {}),
    evidence: evidenceOf(worst),
  };
}

function evidenceOf({ index, class: kind, pair: [first, second] }: Duplicate): Evidence[] {
  const excused = kind === "inherent" ? excuse(index, first) : undefined;
  const acknowledged = kind === "sequential" ? first.steps?.acks.at(-1) : undefined;
  return excerpt(
    ...beginning(first, "first"),
    ...sent(first, "first"),
    [excused, "whether the job is done is unknown to the queue from here on"],
    [acknowledged?.end ?? acknowledged?.invoke, "its acknowledgement"],
    ...beginning(second, "second"),
    ...sent(second, "second"),
  );
}

function beginning({ steps }: ExecutionEffect, which: string): [HistoryEvent | undefined, string][] {
  const grant = steps?.acquires.find(({ end }) => end?.phase === "ok")?.end;
  const begun = grant ?? steps?.deliver;
  return [[begun, begun ? `the ${which} execution begins on ${worker(begun)}` : ""]];
}

function sent({ steps, proof }: ExecutionEffect, which: string): [HistoryEvent | undefined, string][] {
  const { invoke, end } = steps?.effects[0] ?? {};
  const journalled = invoke ?? end;
  return journalled
    ? [
        [journalled, `the effect of the ${which} execution`],
        [steps?.effects.at(-1)?.end, `the ${which} execution is done with its effect`],
      ]
    : [[proof, `the effect of the ${which} execution, as the witness saw it`]];
}
