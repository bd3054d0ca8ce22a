import { mergeLatencies } from "../measure/histogram.ts";
import { upperBound95 } from "../measure/intervals.ts";
import { rateOverRounds } from "../measure/rates.ts";
import { sum } from "./arm-figures.ts";
import type { ArmFigures, ArmResult, Bounds, Contention, JobCounts, LockResult, Power } from "./lock-schema.ts";
import { ENOUGH } from "./power.ts";
import { uniteFindings } from "./unite-findings.ts";

/**
 * Lock runs of one configuration, each of its own seed, as one result: the rounds are numbered in the order given.
 * Distributions and counts are exact; the lateness of starts, of which only percentiles are stored, is left out.
 */
export function uniteLock(runs: readonly [LockResult, ...LockResult[]]): LockResult {
  const [first] = runs;
  const numbered = runs.map((run, index) => renumbered(run, roundsBefore(runs, index)));
  const rounds = sum(runs, ({ plan }) => plan.rounds);
  return {
    ...first,
    plan: { ...first.plan, rounds },
    findings: uniteFindings(numbered.map(({ findings }) => findings)),
    faults: numbered.flatMap(({ faults }) => faults),
    arms: first.arms.map(({ name }) =>
      uniteArms(
        numbered.flatMap(({ arms }) => arms.filter((arm) => arm.name === name)),
        first,
      ),
    ),
    power: unitePower(runs.map(({ power }) => power)),
    bounds: first.bounds.map(({ arm }) =>
      uniteBounds(runs.flatMap(({ bounds }) => bounds.filter((one) => one.arm === arm))),
    ),
    removed: {
      byLook: first.removed.byLook === null ? null : sum(runs, ({ removed }) => removed.byLook ?? 0),
      byLock: first.removed.byLock.map(({ arm }) => ({
        arm,
        jobs: sum(runs, ({ removed }) => removed.byLock.find((one) => one.arm === arm)?.jobs ?? 0),
      })),
    },
    warnings: [...new Set(runs.flatMap(({ warnings }) => warnings))],
  };
}

function roundsBefore(runs: readonly LockResult[], index: number): number {
  return sum(runs.slice(0, index), ({ plan }) => plan.rounds);
}

function renumbered(run: LockResult, before: number): LockResult {
  return {
    ...run,
    arms: run.arms.map((arm) => ({
      ...arm,
      rounds: arm.rounds.map((round) => ({ ...round, round: round.round + before })),
      series: arm.series.map((point) => ({ ...point, round: point.round + before })),
    })),
    faults: run.faults.map((fault) => ({ ...fault, round: fault.round + before })),
    findings: run.findings.map((finding) => ({
      ...finding,
      evidence: finding.evidence.map((event) => ({ ...event, round: event.round + before })),
    })),
  };
}

function uniteArms(arms: readonly ArmResult[], { seed }: LockResult): ArmResult {
  const [first] = arms as [ArmResult];
  const rounds = arms.flatMap((arm) => arm.rounds);
  return { ...first, ...uniteFigures(rounds, seed), rounds, series: arms.flatMap(({ series }) => series) };
}

function uniteFigures(rounds: readonly ArmFigures[], seed: number): ArmFigures {
  const cycles = rounds.flatMap(({ cyclesPerSecond }) => cyclesPerSecond ?? []);
  const mean = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values, (value) => value) / values.length);
  return {
    jobs: uniteJobs(
      rounds.map(({ jobs }) => jobs),
      seed,
    ),
    throughputPerMin: mean(rounds.map(({ throughputPerMin }) => throughputPerMin)),
    acquire: mergeLatencies(rounds.map(({ acquire }) => acquire)),
    acquireOutsideFaults: mergeLatencies(rounds.map(({ acquireOutsideFaults }) => acquireOutsideFaults)),
    response: mergeLatencies(rounds.map(({ response }) => response)),
    service: mergeLatencies(rounds.map(({ service }) => service)),
    starts: {
      late: sum(rounds, ({ starts }) => starts.late),
      dropped: sum(rounds, ({ starts }) => starts.dropped),
      droppedInFaults: sum(rounds, ({ starts }) => starts.droppedInFaults),
      lateP50Ms: null,
      lateP99Ms: null,
    },
    refusedDeliveries: sum(rounds, ({ refusedDeliveries }) => refusedDeliveries),
    crashes: sum(rounds, ({ crashes }) => crashes),
    cyclesPerSecond: cycles.length === 0 ? null : mean(cycles),
    ...uniteContention(rounds.flatMap(({ contention }) => contention ?? [])),
  };
}

function uniteContention(rounds: readonly Contention[]): Pick<ArmFigures, "contention"> {
  if (rounds.length === 0) return {};
  const traced = rounds.flatMap(({ commandsPerHold }) => commandsPerHold ?? []);
  const orphans = rounds.flatMap(({ longestOrphanMs }) => longestOrphanMs ?? []);
  return {
    contention: {
      waits: mergeLatencies(rounds.map(({ waits }) => waits)),
      nextGrants: mergeLatencies(rounds.map(({ nextGrants }) => nextGrants)),
      splitVotes: sum(rounds, ({ splitVotes }) => splitVotes),
      commandsPerHold:
        traced.length === 0
          ? null
          : {
              holds: sum(traced, ({ holds }) => holds),
              total: sum(traced, ({ total }) => total),
              most: Math.max(...traced.map(({ most }) => most)),
            },
      unseenDeadGrants: sum(rounds, ({ unseenDeadGrants }) => unseenDeadGrants),
      longestOrphanMs: orphans.length === 0 ? null : Math.max(...orphans),
    },
  };
}

function uniteJobs(rounds: readonly JobCounts[], seed: number): JobCounts {
  const total = (count: (jobs: JobCounts) => number) => sum(rounds, count);
  const { rate, interval } = rateOverRounds(
    rounds.map(({ duplicated, executed }) => ({ seen: duplicated, n: executed })),
    { seed },
  );
  const writes = rounds.filter(({ lostUpdates }) => lostUpdates !== undefined);
  return {
    offered: total(({ offered }) => offered),
    executed: total(({ executed }) => executed),
    duplicated: total(({ duplicated }) => duplicated),
    concurrentDuplicates: total(({ concurrentDuplicates }) => concurrentDuplicates),
    sequentialDuplicates: total(({ sequentialDuplicates }) => sequentialDuplicates),
    inherentDuplicates: total(({ inherentDuplicates }) => inherentDuplicates),
    duplicateRate: rate,
    duplicateRate95: [...interval],
    maxExecutionsOfOneJob: Math.max(0, ...rounds.map(({ maxExecutionsOfOneJob }) => maxExecutionsOfOneJob)),
    skipped: total(({ skipped }) => skipped),
    dropped: total(({ dropped }) => dropped),
    lost: total(({ lost }) => lost),
    ...(writes.length > 0 ? { lostUpdates: total(({ lostUpdates }) => lostUpdates ?? 0) } : {}),
    ...(rounds.some(({ harmedRows }) => harmedRows !== undefined)
      ? { harmedRows: total(({ harmedRows }) => harmedRows ?? 0) }
      : {}),
  };
}

function unitePower(list: readonly (Power | null)[]): Power | null {
  const powers = list.filter((power) => power !== null);
  if (powers.length === 0) return null;
  const concurrentDuplicatesInControl = sum(powers, (power) => power.concurrentDuplicatesInControl);
  const faultWindows = sum(powers, (power) => power.faultWindows);
  const enough = concurrentDuplicatesInControl >= ENOUGH.concurrentDuplicates && faultWindows >= ENOUGH.faultWindows;
  return { concurrentDuplicatesInControl, faultWindows, enough };
}

function uniteBounds(list: readonly Bounds[]): Bounds {
  const [first] = list as [Bounds];
  const counts = (pick: (bounds: Bounds) => { n: number; seen: number }) => {
    const [n, seen] = [sum(list, (one) => pick(one).n), sum(list, (one) => pick(one).seen)];
    return { n, seen, upper95: upperBound95(Math.min(seen, n), n) };
  };
  const jobs = counts((one) => ({ n: one.jobs.n, seen: one.jobs.duplicated }));
  const flying = counts((one) => ({
    n: one.jobsInFlightDuringFaults.n,
    seen: one.jobsInFlightDuringFaults.duplicated,
  }));
  const windows = counts((one) => ({ n: one.faultWindows.n, seen: one.faultWindows.withDuplicates }));
  return {
    arm: first.arm,
    jobs: { n: jobs.n, duplicated: jobs.seen, upper95: jobs.upper95 },
    jobsInFlightDuringFaults: { n: flying.n, duplicated: flying.seen, upper95: flying.upper95 },
    faultWindows: { n: windows.n, withDuplicates: windows.seen, upper95: windows.upper95 },
  };
}
