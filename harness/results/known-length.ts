import type { ArmRound } from "../contracts/check.ts";
import { readStoredHistory } from "../history/stored.ts";
import type { LockResult } from "./lock-schema.ts";
import type { Result } from "./result-schema.ts";

/** From a run's start to the last that was written down of it, ms. Of a killed run it is all that is known of its length. */
export function recordedMs(armRounds: readonly ArmRound[]): number {
  let lastNs = 0;
  for (const { events } of armRounds) for (const { atNs } of events) lastNs = Math.max(lastNs, atNs);
  return Math.round(lastNs / 1e6);
}

/** A result whose run never came to say how long it took gets the length that its journals show. Others stay as they are. */
export async function withKnownLength<Any extends Result>(result: Any, folder: string): Promise<Any> {
  if (!lacksLength(result)) return result;
  try {
    const { armRounds } = await readStoredHistory(folder);
    return { ...result, durationMs: recordedMs(armRounds) };
  } catch {
    // Nothing is there, or nothing that can be read: the length stays unknown.
    return result;
  }
}

export const lacksLength = ({
  kind,
  status,
  durationMs,
}: Pick<LockResult, "status" | "durationMs"> & { kind: string }) =>
  kind === "lock" && status === "interrupted" && durationMs === 0;
