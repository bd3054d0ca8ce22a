import type { HistoryEvent } from "./history.ts";
import type { LockPlan } from "./lock-plan.ts";

/** An event of the history with a word on what it shows. */
export type Evidence = HistoryEvent & {
  note?: string;
  /** Of a grant: when what its holder had been promised ended, ns since the run's start, as the check reckoned it. */
  promiseEndsAtNs?: number;
};

/** Something a check found: the property that broke, how, and the smallest excerpt of the history that proves it. */
export interface Finding {
  check: string;
  /** The kind within the check: `expired hold`, `concurrent`, ... */
  class: string;
  arm: string;
  /** How many times. The evidence shows one of them. */
  count: number;
  /** One sentence that a person understands without the evidence. */
  message: string;
  /** True: shown, but no failure (duplicates that any lock would have). */
  inherent?: boolean;
  evidence: readonly Evidence[];
}

/** The events of one arm in one round, in the order of time. */
export interface ArmRound {
  arm: string;
  round: number;
  events: readonly HistoryEvent[];
}

/** A history ready to be checked. */
export interface CheckedRun {
  plan: LockPlan;
  armRounds: readonly ArmRound[];
}

/** A check: a pure function from history to findings. */
export interface Check {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  /** The classes it may report, each with a sentence. */
  classes: Readonly<Record<string, string>>;
  /** Classes whose findings are shown after all others: a danger, where nothing came of it. */
  lesser?: readonly string[];
  /** True: it judges what the servers saw, and says nothing of a run without a command trace. */
  needsTrace?: boolean;
  check(run: CheckedRun): Finding[];
}
