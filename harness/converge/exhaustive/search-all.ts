import type { CrdtRef } from "../adapter/crdt-ref.ts";
import { absoluteNowMs } from "../campaign/absolute-now.ts";
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
  const work = async (member: Member) => {
    while (waiting.length > 0 && !isOver()) {
      try {
        await searchPart(member, waiting.shift()!);
      } catch (error) {
        if (!(error instanceof BrokenHand)) throw error;
        if (!error.wasStopped) broken.push(error);
      }
    }
  };
  await Promise.all(crew.members().map(work));
  return { reports: [...reports].sort(([a], [b]) => a - b).map(([, report]) => report), partsWhole, broken };
}

/** The sum of a number over all parts. */
export const sum = (reports: readonly ExhaustiveReport[], of: (report: ExhaustiveReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);
