import { UsageError } from "../errors.ts";
import type { ConvergeCrdt } from "../results/converge-schema.ts";
import type { CrdtRef } from "./adapter/crdt-ref.ts";
import { Crew, type Member } from "./campaign/crew.ts";
import { BrokenHand, type StartHand } from "./campaign/hand.ts";
import { FAILURES_PER_ORACLE } from "./campaign/plan.ts";
import type { ToldFailure } from "./campaign/tell-failures.ts";
import type { ResolvedConverge } from "./converge-options.ts";
import type { CrdtRun } from "./crdt-run.ts";
import type { ExhaustiveOptions, ExhaustiveReport } from "./exhaustive/search.ts";
import { describeFailures } from "./failures.ts";
import { Coverage } from "./run/coverage.ts";
import { REGION_IDS } from "./run/region.ts";
import { planOf } from "./run-fuzz.ts";
import type { AdapterFacts } from "./thread/messages.ts";

const PARTS = 48;
/** A search that would take longer is refused, unless it has a limit of time. */
const LONGEST_S = 7 * 24 * 3_600;

/** Runs one CRDT through every schedule up to a depth. */
export async function runExhaustive(
  ref: CrdtRef,
  number: number,
  options: ResolvedConverge,
  startHand: StartHand,
): Promise<CrdtRun> {
  const search: ExhaustiveOptions = { ...options.exhaustive, regions: options.regions, all: options.all };
  let facts: AdapterFacts | undefined;
  const crew = new Crew(startHand, async (hand) => {
    facts = await hand.ask("open", { ref, plan: planOf(options) });
  });
  try {
    await crew.hire(Math.max(1, options.threads));
    await refuseEndless(crew.members()[0]!, search, options);
    const startedMs = performance.now();
    const { reports, broken, interrupted } = await searchAll(crew, search, ref, number, options, startedMs);
    const elapsedMs = performance.now() - startedMs;
    const told = await tell(crew.members()[0]!, reports, options);
    return assemble(ref, options, search, { facts: facts!, reports, broken, interrupted, elapsedMs, told });
  } finally {
    await crew.dismiss();
  }
}

async function refuseEndless(
  member: Member,
  search: ExhaustiveOptions,
  { timeMs, threads }: ResolvedConverge,
): Promise<void> {
  if (timeMs !== undefined) return;
  const { schedules, schedulesPerSecond } = await member.ask("estimate", search);
  const seconds = schedules / schedulesPerSecond / Math.max(1, threads);
  if (seconds <= LONGEST_S) return;
  const years = seconds / (365.25 * 24 * 3_600);
  const time = years >= 1 ? `${readable(years)} years` : `${Math.round(seconds / 86_400)} days`;
  throw new UsageError(
    `A search to depth ${search.depth} would be about ${readable(schedules)} schedules with ${search.regions} regions: ` +
      `${time} at ${Math.round(schedulesPerSecond)}/s on ${Math.max(1, threads)} threads. Choose a smaller depth, fewer regions, or a limit of time.`,
    { code: "ENDLESS_SEARCH" },
  );
}

const readable = (count: number): string => (count < 1e6 ? String(Math.round(count)) : count.toExponential(1));

async function searchAll(
  crew: Crew,
  search: ExhaustiveOptions,
  ref: CrdtRef,
  number: number,
  { signal, timeMs, onProgress, crdts }: ResolvedConverge,
  startedMs: number,
): Promise<{ reports: ExhaustiveReport[]; broken: BrokenHand[]; interrupted: boolean }> {
  const waiting = Array.from({ length: PARTS }, (_, part) => part);
  const reports: ExhaustiveReport[] = [];
  const broken: BrokenHand[] = [];
  const isOver = () => signal?.aborted || (timeMs !== undefined && performance.now() - startedMs >= timeMs);
  const work = async (member: Member) => {
    while (waiting.length > 0 && !isOver()) {
      try {
        reports.push(await member.ask("exhaustive", { ...search, part: waiting.shift()!, parts: PARTS }));
      } catch (error) {
        if (!(error instanceof BrokenHand)) throw error;
        broken.push(error);
      }
      const elapsedMs = performance.now() - startedMs;
      const schedules = sum(reports, (report) => report.schedules);
      onProgress?.({
        phase: "exhaustive",
        crdt: ref.name,
        number,
        of: crdts.length,
        elapsedMs,
        ...(timeMs === undefined ? {} : { timeMs }),
        schedules,
        schedulesInAll: Math.round((schedules / (reports.length || 1)) * PARTS),
        schedulesPerSecond: Math.round((schedules / elapsedMs) * 1_000),
        failed: sum(reports, ({ failed }) => Object.values(failed).reduce((total, count) => total + count, 0)),
      });
    }
  };
  await Promise.all(crew.members().map(work));
  return { reports, broken, interrupted: waiting.length > 0 };
}

const sum = (reports: readonly ExhaustiveReport[], of: (report: ExhaustiveReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);

async function tell(
  member: Member,
  reports: readonly ExhaustiveReport[],
  { regions, all }: ResolvedConverge,
): Promise<ToldFailure[]> {
  const told: ToldFailure[] = [];
  const counts = new Map<string, number>();
  for (const { oracle, index, schedule } of reports
    .flatMap(({ failures }) => failures)
    .sort((a, b) => a.index - b.index)) {
    const count = (counts.get(oracle) ?? 0) + 1;
    counts.set(oracle, count);
    if (count > FAILURES_PER_ORACLE) continue;
    const request = { regions, arguments: "unit" as const, deep: all, all, schedule: [...schedule] };
    const counterexample =
      (await member.ask("shrink", { ...request, oracle })) ?? (await member.ask("replay", request));
    told.push({ index, counterexample });
  }
  return told;
}

interface Findings {
  facts: AdapterFacts;
  reports: readonly ExhaustiveReport[];
  broken: readonly BrokenHand[];
  interrupted: boolean;
  elapsedMs: number;
  told: readonly ToldFailure[];
}

function assemble(
  ref: CrdtRef,
  options: ResolvedConverge,
  search: ExhaustiveOptions,
  { facts, reports, broken, interrupted, elapsedMs, told }: Findings,
): CrdtRun {
  const coverage = new Coverage();
  const failed: Record<string, number> = {};
  for (const report of reports) {
    coverage.take(report.coverage);
    for (const [oracle, count] of Object.entries(report.failed)) failed[oracle] = (failed[oracle] ?? 0) + count;
  }
  const schedules = sum(reports, (report) => report.schedules);
  const pruned = sum(reports, ({ prunedNames, prunedOrders }) => prunedNames + prunedOrders);
  const crdt: ConvergeCrdt = {
    name: ref.name,
    regions: options.regions,
    regionIds: REGION_IDS.slice(0, options.regions),
    schedules,
    events: coverage.total,
    schedulesPerSecond: elapsedMs > 0 ? Math.round((schedules / elapsedMs) * 1_000) : 0,
    elapsedMs,
    histogram: coverage.histogram(),
    sometimes: coverage.sometimesCounts(facts.sometimes),
    failed,
    ...failuresOf(ref, options, told),
    exhaustive: {
      depth: search.depth,
      schedules,
      pruned,
      exhausted: !interrupted && broken.length === 0,
      symmetry: search.symmetry,
      notes: notesOf(search, reports),
    },
  };
  const { files } = describeFailures(ref, options, told);
  const warnings = broken.map(({ message }) => `${ref.name}: a part of the search was lost: a schedule ${message}.`);
  return { crdt, files, warnings, interrupted: options.signal?.aborted ?? false };
}

const failuresOf = (ref: CrdtRef, options: ResolvedConverge, told: readonly ToldFailure[]) => ({
  failures: describeFailures(ref, options, told).failures,
});

const ALPHABETS: Readonly<Record<ExhaustiveOptions["alphabet"], string>> = {
  standard:
    "one key of each field, one element, increments by 1, clock steps of a second and of two minutes, sending, restarts, " +
    "and for each message those that deliver, repeat and forward it",
  full:
    "two keys of a field and two elements, increments by 1 and -1, deletions, clock steps of a second and of two minutes, " +
    "every encoding, restarts, losses of everything, links that break, and for each message those that deliver, repeat, " +
    "forward and lose it",
};

function notesOf(search: ExhaustiveOptions, reports: readonly ExhaustiveReport[]): string[] {
  const orders = sum(reports, ({ prunedOrders }) => prunedOrders);
  const names = sum(reports, ({ prunedNames }) => prunedNames);
  return [
    `${search.alphabet} alphabet: ${ALPHABETS[search.alphabet]}: ${reports[0]?.rootEvents ?? 0} events at the root`,
    `${orders} branches were left out: another order of events that do not touch each other stands for them`,
    search.symmetry
      ? `${names} branches were left out: they rename the regions of others; what depends on the order of ids is not covered`
      : "regions were not renamed: the order of ids is covered",
    "nothing was tried beyond a failure; longer schedules, other keys and values are not covered",
  ];
}
