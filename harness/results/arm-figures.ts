import type { LockPlan } from "../contracts/lock-plan.ts";
import { summariseLatencies } from "../measure/histogram.ts";
import { rateOverRounds } from "../measure/rates.ts";
import { startFigures } from "../measure/starts.ts";
import type { ArmFigures, JobCounts } from "./lock-schema.ts";
import type { RoundFacts } from "./round-facts.ts";

/** The figures of one or several rounds of an arm. */
export function figuresOf(facts: readonly RoundFacts[], plan: LockPlan): ArmFigures {
  const loadMs = sum(facts, ({ loadNs }) => loadNs) / 1e6;
  const acquires = facts.flatMap(({ acquires }) => acquires.map(({ tookNs }) => tookNs));
  return {
    jobs: countsOf(facts, plan),
    throughputPerMin: loadMs > 0 ? sum(facts, ({ achieved }) => achieved) / (loadMs / 60_000) : 0,
    acquire: summariseLatencies(acquires),
    acquireOutsideFaults: summariseLatencies(facts.flatMap(({ acquiresOutsideFaults }) => acquiresOutsideFaults)),
    response: summariseLatencies(facts.flatMap(({ responsesNs }) => responsesNs)),
    service: summariseLatencies(facts.flatMap(({ servicesNs }) => servicesNs)),
    starts: startFigures(facts.flatMap(({ starts }) => starts)),
    refusedDeliveries: sum(facts, ({ refusedDeliveries }) => refusedDeliveries),
    crashes: sum(facts, ({ crashes }) => crashes),
    cyclesPerSecond:
      plan.load.kind === "max" && loadMs > 0 ? sum(facts, ({ cycles }) => cycles) / (loadMs / 1000) : null,
  };
}

function countsOf(facts: readonly RoundFacts[], plan: LockPlan): JobCounts {
  const { seed } = plan;
  const rounds = facts.map(({ duplicated, executed }) => ({ seen: duplicated, n: executed }));
  const { rate, interval } = rateOverRounds(rounds, { seed });
  const writes = facts.filter(({ lostUpdates }) => lostUpdates !== undefined);
  return {
    offered: sum(facts, ({ offered }) => offered),
    executed: sum(facts, ({ executed }) => executed),
    duplicated: sum(facts, ({ duplicated }) => duplicated),
    concurrentDuplicates: sum(facts, ({ concurrent }) => concurrent),
    sequentialDuplicates: sum(facts, ({ sequential }) => sequential),
    inherentDuplicates: sum(facts, ({ inherent }) => inherent),
    duplicateRate: rate,
    duplicateRate95: interval,
    maxExecutionsOfOneJob: Math.max(0, ...facts.map(({ maxExecutionsOfOneJob }) => maxExecutionsOfOneJob)),
    skipped: sum(facts, ({ skipped }) => skipped),
    dropped: sum(facts, ({ dropped }) => dropped),
    lost: sum(facts, ({ lost }) => lost),
    ...(writes.length > 0 ? { lostUpdates: sum(writes, ({ lostUpdates }) => lostUpdates ?? 0) } : {}),
    ...(plan.job.idempotent ? { harmedRows: sum(facts, ({ harmedRows }) => harmedRows ?? 0) } : {}),
  };
}

export function sum<Value>(values: readonly Value[], measure: (value: Value) => number): number {
  return values.reduce((total, value) => total + measure(value), 0);
}
