import type { ReplayRequest } from "../replay/replay-file.ts";

/** A schedule that took its hand along. */
export interface BrokenSchedule {
  index: number;
  event: number;
  reason: string;
  /** How it runs; absent where its index says it. */
  request?: ReplayRequest;
}

/** A type that hangs or crashes its thread again and again is known well enough after so many. */
export const MAX_BROKEN = 10;
