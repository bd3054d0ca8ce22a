import { UsageError } from "../errors.ts";
import type { ConvergeCrdt } from "../results/converge-schema.ts";
import type { CrdtRef } from "./adapter/crdt-ref.ts";
import { absoluteNowMs } from "./campaign/absolute-now.ts";
import { Crew, type Member } from "./campaign/crew.ts";
import { BrokenHand, type StartHand } from "./campaign/hand.ts";
import { shrinkTimeMs } from "./campaign/shrink-time.ts";
import { type FoundFailure, hung, type ToldFailure, tellInTime } from "./campaign/tell-failures.ts";
import type { ResolvedConverge } from "./converge-options.ts";
import type { CrdtRun } from "./crdt-run.ts";
import type { Estimate } from "./exhaustive/estimate.ts";
import type { ExhaustiveOptions, ExhaustiveReport } from "./exhaustive/search.ts";
import { PARTS, type Searched, searchAll, sum } from "./exhaustive/search-all.ts";
import { cutShortWarnings, describeFailures } from "./failures.ts";
import { Coverage } from "./run/coverage.ts";
import { REGION_IDS } from "./run/region.ts";
import { planOf, priceOf } from "./run-fuzz.ts";
import type { AdapterFacts } from "./thread/messages.ts";

/** A search that would take longer is refused, unless it has a limit of time. */
const LONGEST_S = 7 * 24 * 3_600;

/** Runs one CRDT through every schedule up to a depth, or as far as its time goes. */
export async function runExhaustive(
  ref: CrdtRef,
  number: number,
  options: ResolvedConverge,
  startHand: StartHand,
): Promise<CrdtRun> {
  const { timeMs, signal, threads } = options;
  const search: ExhaustiveOptions = { ...options.exhaustive, regions: options.regions, all: options.all };
  let facts: AdapterFacts | undefined;
  const crew = new Crew(
    startHand,
    async (hand) => {
      facts = await hand.ask("open", { ref, plan: planOf(options) });
    },
    signal,
  );
  try {
    await crew.hire(Math.max(1, threads));
    const untilMs = timeMs === undefined ? undefined : absoluteNowMs() + timeMs;
    const estimate = await estimated(crew.members()[0]!, search, timeMs);
    if (timeMs === undefined && estimate !== undefined && !signal?.aborted) refuseEndless(estimate, search, threads);
    const startedMs = performance.now();
    const searched = await searchAll(crew, search, { ref, number, options, untilMs, estimate });
    const elapsedMs = performance.now() - startedMs;
    const found = [...foundIn(searched.reports, options), ...searched.broken.map((hand) => hungIn(hand, options))];
    const told = await tellInTime(crew, found, {
      signal,
      untilMs: untilMs === undefined ? undefined : untilMs + shrinkTimeMs(timeMs!),
    });
    return assemble(ref, options, search, { facts: facts!, estimate, ...searched, elapsedMs, told });
  } finally {
    await crew.dismiss();
  }
}

/** Undefined for a type that does not come back from some schedule, as the search will find out. */
async function estimated(
  member: Member,
  search: ExhaustiveOptions,
  timeMs: number | undefined,
): Promise<Estimate | undefined> {
  try {
    return await member.ask("estimate", { ...search, ...(timeMs === undefined ? {} : { longestMs: timeMs / 10 }) });
  } catch (error) {
    if (error instanceof BrokenHand) return undefined;
    throw error;
  }
}

function refuseEndless(
  { schedules, schedulesPerSecond }: Estimate,
  search: ExhaustiveOptions,
  givenThreads: number,
): void {
  const threads = Math.max(1, givenThreads);
  const seconds = schedules / schedulesPerSecond / threads;
  if (seconds <= LONGEST_S) return;
  const years = seconds / (365.25 * 24 * 3_600);
  const time = years >= 1 ? `${readable(years)} years` : `${Math.round(seconds / 86_400)} days`;
  throw new UsageError(
    `A search to depth ${search.depth} would be about ${readable(schedules)} schedules with ${search.regions} regions: ` +
      `${time} at ${Math.round(schedulesPerSecond)}/s on ${threads} threads. Choose a smaller depth, fewer regions, or a limit of time.`,
    { code: "ENDLESS_SEARCH" },
  );
}

const readable = (count: number): string => (count < 1e6 ? String(Math.round(count)) : count.toExponential(1));

function foundIn(reports: readonly ExhaustiveReport[], { regions, all }: ResolvedConverge): FoundFailure[] {
  return reports
    .flatMap(({ failures }) => failures)
    .map(({ oracle, index, schedule }) => {
      const request = { regions, arguments: "unit" as const, deep: all, all, schedule: [...schedule] };
      return {
        ...{ oracle, index, schedule },
        shrink: (member, untilMs) => member.ask("shrink", { ...request, oracle, untilMs }),
        asFound: (member) => member.ask("replay", request),
      } satisfies FoundFailure;
    });
}

function hungIn({ index, event, message, schedule }: BrokenHand, { regions, all }: ResolvedConverge): FoundFailure {
  const request = { regions, arguments: "unit" as const, deep: all, all, schedule: [...schedule] };
  return { ...hung({ index, event, reason: message, request }), schedule };
}

interface Findings extends Searched {
  facts: AdapterFacts;
  estimate: Estimate | undefined;
  elapsedMs: number;
  told: readonly ToldFailure[];
}

function assemble(
  ref: CrdtRef,
  options: ResolvedConverge,
  search: ExhaustiveOptions,
  { facts, reports, partsWhole, broken, estimate, elapsedMs, told }: Findings,
): CrdtRun {
  const coverage = new Coverage();
  const failed: Record<string, number> = {};
  for (const report of reports) {
    coverage.take(report.coverage);
    for (const [oracle, count] of Object.entries(report.failed)) failed[oracle] = (failed[oracle] ?? 0) + count;
  }
  if (broken.length > 0) failed.CRASH = (failed.CRASH ?? 0) + broken.length;
  const { failures, files } = describeFailures(ref, options, told);
  const schedules = sum(reports, (report) => report.schedules);
  const pruned = sum(reports, ({ prunedNames, prunedOrders }) => prunedNames + prunedOrders);
  const exhausted = partsWhole === PARTS;
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
    failures,
    ...priceOf(facts),
    exhaustive: {
      depth: search.depth,
      schedules,
      pruned,
      exhausted,
      ...(exhausted || estimate === undefined ? {} : { estimatedSchedules: Math.max(schedules, estimate.schedules) }),
      symmetry: search.symmetry,
      notes: [...(exhausted ? [] : [howFar(partsWhole)]), ...notesOf(search, reports)],
    },
  };
  const warnings = [...hungWarnings(ref, broken), ...cutShortWarnings(ref, failures)];
  return { crdt, files, warnings, interrupted: !exhausted && (options.signal?.aborted ?? false) };
}

function hungWarnings({ name }: CrdtRef, { length }: Findings["broken"]): string[] {
  if (length === 0) return [];
  const [what, parts] = length === 1 ? ["one schedule", "the part"] : [`${length} schedules`, "the parts"];
  return [
    `${name}: ${what} hung or ended their thread; ${parts} of the space after that, and what else such a schedule would have shown, are not covered.`,
  ];
}

const howFar = (partsWhole: number): string =>
  `${partsWhole} of ${PARTS} parts of the space were searched to their end, the others only to where the search ended`;

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
