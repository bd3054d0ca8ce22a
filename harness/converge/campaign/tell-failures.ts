import type { Counterexample } from "../counterexample/counterexample.ts";
import type { BrokenSchedule } from "./broken-schedule.ts";
import type { Crew, Member } from "./crew.ts";
import type { Found } from "./found.ts";
import { BrokenHand } from "./hand.ts";
import { FAILURES_PER_ORACLE } from "./plan.ts";

export interface ToldFailure {
  index: number;
  counterexample: Counterexample;
}

export interface TellOptions {
  /** Aborted: the first failure of each oracle is still shrunk, the others are told as they were found. */
  signal?: AbortSignal;
  /** After each, with how many there are in all. */
  onTold?: (told: number, of: number) => void;
}

/** Shrinks and tells the first failures of each oracle, spread over a crew. What comes out does not depend on who did it. */
export async function tellFailures(
  crew: Crew,
  found: Found,
  broken: readonly BrokenSchedule[],
  { signal, onTold }: TellOptions = {},
): Promise<ToldFailure[]> {
  const first = found.first();
  const isFirst = (at: number) => first.findIndex(({ oracle }) => oracle === first[at]!.oracle) === at;
  const jobs: Job[] = [
    ...first.map(({ oracle, index }, at) => ({
      index,
      do: (member: Member) =>
        signal?.aborted && !isFirst(at) ? member.ask("tell", { index }) : shrunk(member, index, oracle),
    })),
    ...broken.map((schedule) => ({ index: schedule.index, do: (member: Member) => cutShort(member, schedule) })),
  ].sort((a, b) => a.index - b.index);
  const told: ToldFailure[] = [];
  const { length } = jobs;
  const work = async (member: Member) => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      told.push({ index: job.index, counterexample: await job.do(member) });
      onTold?.(told.length, length);
    }
  };
  await Promise.all(crew.members().map(work));
  return firstOfEach(told.sort((a, b) => a.index - b.index));
}

interface Job {
  index: number;
  do(member: Member): Promise<Counterexample>;
}

async function shrunk(member: Member, index: number, oracle: string): Promise<Counterexample> {
  try {
    return (
      (await member.ask("counterexample", { index, oracle })) ??
      notRepeated(await member.ask("tell", { index }), oracle)
    );
  } catch (error) {
    if (!(error instanceof BrokenHand)) throw error;
    // A smaller schedule hangs or crashes: the one that was found is told as it is.
    return await member.ask("tell", { index });
  }
}

async function cutShort(member: Member, { index, event, reason }: BrokenSchedule): Promise<Counterexample> {
  try {
    return await member.ask("unfinished", { index, event, reason });
  } catch (error) {
    if (!(error instanceof BrokenHand)) throw error;
    return nothingButTheReason(event, reason);
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

/** For a schedule of which not even the beginning runs a second time. */
function nothingButTheReason(event: number, reason: string): Counterexample {
  return {
    oracle: "CRASH",
    eventsBefore: event + 1,
    eventsAfter: event + 1,
    steps: [],
    failedAt: 0,
    region: 0,
    expected: `event ${event} returns`,
    actual: `it ${reason}, and so did an event before it when it ran again`,
    schedule: [],
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
