import type { HistoryEvent } from "../contracts/history.ts";
import type { Execution, Operated } from "./round-index.ts";

/** A refusal as a lock gives it for a held key. One with a reason of its own (work done already, circuit open) is none. */
export function isPlainRefusal({ end }: Operated): boolean {
  return end?.phase === "fail" && end.outcome === "refused" && end.detail?.reason === undefined;
}

/** An acquire that came back without a grant, and its call. */
export interface Attempt {
  execution: Execution;
  invoke: HistoryEvent;
  end: HistoryEvent;
}

/** Did it fail with an error, or was it plainly refused? */
export function isUnsuccessful(acquire: Operated): boolean {
  return isPlainRefusal(acquire) || (acquire.end?.phase === "fail" && acquire.end.outcome === "failed");
}
