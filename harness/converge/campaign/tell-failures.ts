import type { Counterexample } from "../counterexample/counterexample.ts";
import { absoluteNowMs } from "./absolute-now.ts";
import type { BrokenSchedule } from "./broken-schedule.ts";
import type { Crew, Member } from "./crew.ts";
import type { Found } from "./found.ts";
import { BrokenHand } from "./hand.ts";
import { FAILURES_PER_ORACLE } from "./plan.ts";

export interface ToldFailure {
  index: number;
  counterexample: Counterexample;
}

/** A failure that is to be told. */
export interface FoundFailure {
  oracle: string;
  index: number;
  /** Where it is known here. */
  schedule?: readonly number[];
  /**
   * Shrunk as far as it comes until then; undefined: it does not fail by this oracle any more. Absent where nothing can be
   * shrunk.
   */
  shrink?(member: Member, untilMs: number | undefined): Promise<Counterexample | undefined>;
  asFound(member: Member): Promise<Counterexample>;
}

export interface TellOptions {
  /**
   * When shrinking is to be over, of `absoluteNowMs`. Absent: every failure is shrunk as far
   * as it goes, and what comes out is the same every time.
   */
  untilMs?: number | undefined;
  /**
   * Aborted before: a second is left for the first failure of each oracle. Aborted meanwhile: shrinking ends at once.
   * What is not shrunk is told as it was found.
   */
  signal?: AbortSignal | undefined;
  /** After each, with how many there are in all. */
  onTold?: ((told: number, of: number) => void) | undefined;
}

const AFTER_SIGNAL_MS = 1_000;
/** What is left over of time is for telling what was not shrunk; of each oracle at least the first is told. */
const TELLING_MS = 500;

/** Shrinks and tells the first failures of each oracle, spread over a crew. What comes out does not depend on who did it. */
export async function tellFailures(
  crew: Crew,
  found: Found,
  broken: readonly BrokenSchedule[],
  options: TellOptions = {},
): Promise<ToldFailure[]> {
  const failures = found.first().map(
    ({ oracle, index }): FoundFailure => ({
      ...{ oracle, index },
      shrink: (member, untilMs) => member.ask("counterexample", { index, oracle, untilMs }),
      asFound: (member) => member.ask("tell", { index }),
    }),
  );
  return await tellInTime(crew, [...failures, ...broken.map(hung)], options);
}

/** A schedule that took its hand along, as a failure. */
export function hung(schedule: BrokenSchedule): FoundFailure {
  return { oracle: "CRASH", index: schedule.index, asFound: (member) => cutShort(member, schedule) };
}

/** The same of failures from wherever: the first of each oracle before the second of any. */
export async function tellInTime(
  crew: Crew,
  failures: readonly FoundFailure[],
  { untilMs, signal, onTold }: TellOptions = {},
): Promise<ToldFailure[]> {
  const waiting = ranked(failures);
  const of = waiting.length;
  const members = crew.members();
  const wasAborted = signal?.aborted ?? false;
  let endMs = Math.min(
    untilMs ?? Number.POSITIVE_INFINITY,
    wasAborted ? absoluteNowMs() + AFTER_SIGNAL_MS : Number.POSITIVE_INFINITY,
  );
  const onAbort = () => {
    endMs = Math.min(endMs, absoluteNowMs());
  };
  /** An equal share of what is left, so that one that is slow to shrink leaves some to the others. */
  const shareUntilMs = (rank: number): number | undefined => {
    if (endMs === Number.POSITIVE_INFINITY) return undefined;
    const nowMs = absoluteNowMs();
    const turns = Math.ceil((1 + waiting.filter((other) => other.rank === rank).length) / members.length);
    return nowMs + (endMs - nowMs) / turns;
  };
  const told: ToldFailure[] = [];
  const work = async (member: Member) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { failure, rank } = next;
      const nowMs = absoluteNowMs();
      if (rank > 0 && nowMs >= endMs + TELLING_MS) continue;
      const mayShrink = nowMs < endMs && !(wasAborted && rank > 0);
      const counterexample = mayShrink
        ? await shrunk(member, failure, shareUntilMs(rank))
        : await asFound(member, failure);
      told.push({ index: failure.index, counterexample });
      onTold?.(told.length, of);
    }
  };
  signal?.addEventListener("abort", onAbort);
  try {
    await Promise.all(members.map(work));
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
  return firstOfEach(told.sort((a, b) => a.index - b.index));
}

interface Ranked {
  failure: FoundFailure;
  /** 0: the first of its oracle. */
  rank: number;
}

function ranked(failures: readonly FoundFailure[]): Ranked[] {
  const counts = new Map<string, number>();
  return failures
    .toSorted((a, b) => a.index - b.index)
    .map((failure) => {
      const rank = counts.get(failure.oracle) ?? 0;
      counts.set(failure.oracle, rank + 1);
      return { failure, rank };
    })
    .filter(({ rank }) => rank < FAILURES_PER_ORACLE)
    .sort((a, b) => a.rank - b.rank || a.failure.index - b.failure.index);
}

async function shrunk(member: Member, failure: FoundFailure, untilMs: number | undefined): Promise<Counterexample> {
  if (failure.shrink === undefined) return await failure.asFound(member);
  try {
    const small = (await failure.shrink(member, untilMs)) ?? (await failure.asFound(member));
    return small.oracle === failure.oracle ? small : notRepeated(small, failure.oracle);
  } catch (error) {
    if (!(error instanceof BrokenHand)) throw error;
    // A smaller schedule hangs or crashes: the one that was found is told as it is.
    return await asFound(member, failure);
  }
}

async function asFound(member: Member, failure: FoundFailure): Promise<Counterexample> {
  try {
    const told = await failure.asFound(member);
    if (failure.shrink === undefined) return told;
    if (told.oracle !== failure.oracle) return notRepeated(told, failure.oracle);
    return { ...told, shrinkingCutShort: true };
  } catch (error) {
    if (!(error instanceof BrokenHand)) throw error;
    const expected = `the same schedule fails by ${failure.oracle} again, as it did`;
    return withoutSteps(failure.oracle, error.event, expected, `it ${error.message}`, failure.schedule);
  }
}

async function cutShort(member: Member, schedule: BrokenSchedule): Promise<Counterexample> {
  try {
    return await member.ask("unfinished", schedule);
  } catch (error) {
    if (!(error instanceof BrokenHand)) throw error;
    const { event, reason, request } = schedule;
    const actual = `it ${reason}, and so did an event before it when it ran again`;
    return withoutSteps("CRASH", event, `event ${event} returns`, actual, request?.schedule);
  }
}

/** A failure that is gone when the same schedule runs again. */
function notRepeated(told: Counterexample, oracle: string): Counterexample {
  const expected = `the same schedule fails by ${oracle} again, as it did`;
  const now = told.oracle === "" ? "it passed" : `it failed by ${told.oracle}`;
  return {
    ...told,
    oracle,
    expected,
    actual: `${now}: the adapter does not repeat itself (time, randomness or state of its own?)`,
  };
}

/** For a schedule that does not run to its failure a second time. */
function withoutSteps(
  oracle: string,
  event: number,
  expected: string,
  actual: string,
  schedule: readonly number[] = [],
): Counterexample {
  return {
    ...{ oracle, expected, actual },
    eventsBefore: event + 1,
    eventsAfter: event + 1,
    steps: [],
    failedAt: 0,
    region: 0,
    schedule: [...schedule],
    deep: false,
  };
}

/** Schedules that threw and schedules that hung are the same oracle's. */
function firstOfEach(told: readonly ToldFailure[]): ToldFailure[] {
  const counts = new Map<string, number>();
  return told.filter(({ counterexample: { oracle } }) => {
    counts.set(oracle, (counts.get(oracle) ?? 0) + 1);
    return counts.get(oracle)! <= FAILURES_PER_ORACLE;
  });
}
