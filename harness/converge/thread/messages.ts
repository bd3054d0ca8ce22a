import type { CrdtRef } from "../adapter/crdt-ref.ts";
import type { BrokenSchedule } from "../campaign/broken-schedule.ts";
import type { Chunk, ChunkReport } from "../campaign/executor.ts";
import type { CampaignPlan } from "../campaign/plan.ts";
import type { Counterexample } from "../counterexample/counterexample.ts";
import type { Estimate } from "../exhaustive/estimate.ts";
import type { ExhaustiveOptions, ExhaustivePart, ExhaustiveReport } from "../exhaustive/search.ts";
import type { ReplayRequest } from "../replay/replay-file.ts";
import type { SometimesKey } from "../run/coverage.ts";

/** What a thread is started with. */
export interface ThreadData {
  heartbeat: Int32Array;
}

/** What is asked of a bench, and what it answers with. */
export interface Orders {
  open: { asked: { ref: CrdtRef; plan: CampaignPlan; journal?: string }; answer: AdapterFacts };
  chunk: { asked: Chunk; answer: ChunkReport };
  counterexample: { asked: { index: number; oracle: string } & ShrinkUntil; answer: Counterexample | undefined };
  /** A failure as it was found, without shrinking. */
  tell: { asked: { index: number }; answer: Counterexample };
  /** A schedule that never came back from `event`. */
  unfinished: { asked: BrokenSchedule; answer: Counterexample };
  estimate: { asked: ExhaustiveOptions & { longestMs?: number }; answer: Estimate };
  /** A slice of a part: from its beginning, or from where the slice before it ended. The report is of all of them. */
  exhaustive: {
    asked: ExhaustivePart & { goesOn: boolean; untilMs: number };
    answer: ExhaustiveReport & { isDone: boolean };
  };
  /** A failure of an exhaustive search, shrunk and told. */
  shrink: { asked: ReplayRequest & { oracle: string } & ShrinkUntil; answer: Counterexample | undefined };
  replay: { asked: ReplayRequest; answer: Counterexample };
}

/** When shrinking is to be over, of `absoluteNowMs`; absent: when it is done. */
export interface ShrinkUntil {
  untilMs?: number | undefined;
}

export type OrderType = keyof Orders;

/** What must be known of an adapter that only a thread has loaded. */
export interface AdapterFacts {
  name: string;
  /** What its campaigns can meet. */
  sometimes: readonly SometimesKey[];
  broken: { wrongThought: string; caughtBy: readonly string[] } | undefined;
  /** Whom a write waits for; undefined: nobody. */
  writesWaitFor: string | undefined;
}

export interface Order {
  type: OrderType;
  asked: Orders[OrderType]["asked"];
}

export type Reply =
  | { type: "done"; answer: Orders[OrderType]["answer"] }
  | { type: "error"; error: { message: string; code: string | undefined; exitCode: number | undefined } };
