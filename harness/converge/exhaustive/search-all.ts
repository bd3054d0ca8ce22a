import type { CrdtRef } from "../adapter/crdt-ref.ts";
import { absoluteNowMs } from "../campaign/absolute-now.ts";
import { MAX_BROKEN } from "../campaign/broken-schedule.ts";
import type { Crew, Member } from "../campaign/crew.ts";
import { BrokenHand } from "../campaign/hand.ts";
import type { ResolvedConverge } from "../converge-options.ts";
import type { Estimate } from "./estimate.ts";
import type { ExhaustiveOptions, ExhaustiveReport } from "./search.ts";

/** Shares of the space that are dealt out to threads. */
export const PARTS = 48;
/** A thread comes back from a part so often, to say how far it is and to hear whether it goes on. */
const SLICE_MS = 250;

export interface Searched {
  /** One for each part that was begun. */
  reports: ExhaustiveReport[];
  /** Parts that were searched to their end. */
  partsWhole: number;
  /** One for each schedule that took its hand along, in their order. What there is after it in its part was not searched. */
  broken: BrokenHand[];
}

/** Has a crew search all parts, until there are none, the time is over or the signal comes. */
export async function searchAll(
  crew: Crew,
  search: ExhaustiveOptions,
  {
    ref,
    number,
    options: { signal, timeMs, onProgress, crdts },
    untilMs,
    estimate,
  }: {
    ref: CrdtRef;
    number: number;
    options: ResolvedConverge;
    untilMs: number | undefined;
    estimate: Estimate | undefined;
  },
): Promise<Searched> {
  const waiting = Array.from({ length: PARTS }, (_, part) => part);
  const reports = new Map<number, ExhaustiveReport>();
  const broken: BrokenHand[] = [];
  let partsWhole = 0;
  let isHopeless = false;
  const startedMs = performance.now();
  const isOver = () => signal?.aborted || (untilMs !== undefined && absoluteNowMs() >= untilMs);
  const noteProgress = () => {
    const elapsedMs = performance.now() - startedMs;
    const schedules = sum([...reports.values()], (report) => report.schedules);
    onProgress?.({
      phase: "exhaustive",
      crdt: ref.name,
      number,
      of: crdts.length,
      elapsedMs,
      ...(timeMs === undefined ? {} : { timeMs }),
      schedules,
      ...(estimate === undefined ? {} : { schedulesInAll: Math.max(schedules, estimate.schedules) }),
      schedulesPerSecond: Math.round((schedules / elapsedMs) * 1_000),
      failed: sum([...reports.values()], ({ failed }) =>
        Object.values(failed).reduce((total, count) => total + count, 0),
      ),
    });
  };
  const searchPart = async (member: Member, part: number) => {
    for (let goesOn = false, isDone = false; !isDone && !isOver(); goesOn = true) {
      const sliceUntilMs = Math.min(absoluteNowMs() + SLICE_MS, untilMs ?? Number.POSITIVE_INFINITY);
      const asked = { ...search, part, parts: PARTS, goesOn, untilMs: sliceUntilMs };
      const { isDone: isWhole, ...report } = await member.ask("exhaustive", asked);
      reports.set(part, report);
      if (isWhole) partsWhole++;
      isDone = isWhole;
      noteProgress();
    }
  };
  const noteBroken = (hand: BrokenHand) => {
    const key = hand.schedule.join();
    // All parts run the shortest schedules: one that hangs in two of them hangs in all.
    if (broken.some(({ schedule }) => schedule.join() === key)) isHopeless = true;
    else broken.push(hand);
    if (broken.length >= MAX_BROKEN) isHopeless = true;
  };
  const work = async (member: Member) => {
    while (waiting.length > 0 && !isHopeless && !isOver()) {
      try {
        await searchPart(member, waiting.shift()!);
      } catch (error) {
        if (!(error instanceof BrokenHand)) throw error;
        if (!error.wasStopped) noteBroken(error);
      }
    }
  };
  await Promise.all(crew.members().map(work));
  return {
    reports: [...reports].sort(([a], [b]) => a - b).map(([, report]) => report),
    partsWhole,
    broken: broken.toSorted((a, b) => a.index - b.index),
  };
}

/** The sum of a number over all parts. */
export const sum = (reports: readonly ExhaustiveReport[], of: (report: ExhaustiveReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);
