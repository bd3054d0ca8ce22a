import type { LockPlan } from "../contracts/lock-plan.ts";
import { summariseLatencies } from "../measure/histogram.ts";
import { rateOverRounds } from "../measure/rates.ts";
import { startFigures } from "../measure/starts.ts";
import type { RoundContention } from "./contention.ts";
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
    ...contentionFigures(facts.flatMap(({ contention }) => contention ?? [])),
  };
}

function contentionFigures(rounds: readonly RoundContention[]): Pick<ArmFigures, "contention"> {
  if (rounds.length === 0) return {};
  const traced = rounds.flatMap(({ commandsOfHolds }) => (commandsOfHolds ? [commandsOfHolds] : []));
  const commands = traced.flat();
  const orphans = rounds.flatMap(({ longestOrphanNs }) => longestOrphanNs ?? []);
  const total = sum(commands, (count) => count);
  return {
    contention: {
      waits: summariseLatencies(rounds.flatMap(({ waitsNs }) => waitsNs)),
      nextGrants: summariseLatencies(rounds.flatMap(({ nextGrantsNs }) => nextGrantsNs)),
      splitVotes: sum(rounds, ({ splitVotes }) => splitVotes),
      commandsPerHold: traced.length === 0 ? null : { holds: commands.length, total, most: greatestOf(commands) },
      unseenDeadGrants: sum(rounds, ({ unseenDeadGrants }) => unseenDeadGrants),
      longestOrphanMs: orphans.length === 0 ? null : greatestOf(orphans) / 1e6,
    },
  };
}

/** 0 of nothing. Not by spreading: there may be hundreds of thousands. */
const greatestOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

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
