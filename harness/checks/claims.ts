import type { HistoryEvent } from "../contracts/history.ts";
import type { Belief } from "./beliefs.ts";
import type { Operated } from "./round-index.ts";
import type { FaultWindow } from "./windows.ts";

/** Until when the library promised that a hold lasts, on the monotonic clock. */
export interface Claim {
  /** Infinite under automatic renewal as long as no lost signal came. */
  endNs: number;
  /** The event that the promise was read from. */
  from: HistoryEvent;
  basis: "validUntil" | "ttl" | "automatic renewal";
}

/**
 * The claim of a belief as it stood at a moment: extensions that returned later do not count.
 * `validUntil` is laid on the monotonic clock once, when the grant or the extension returned, so that later steps of
 * the worker's clock do not move it. Without it, the claim is the call of the acquire, or of the last extension that
 * succeeded, + TTL. A library that renews by itself promises the hold until it says that it is lost, or until its process
 * stands still: from then on nobody can renew or tell.
 */
export function claimOf(
  { acquire, execution, endedBy, endEvent }: Belief,
  { ttlMs, renewsByItself, standstill, atNs = Number.POSITIVE_INFINITY }: ClaimOptions,
): Claim {
  if (renewsByItself && standstill) {
    return { endNs: standstill.startNs, from: standstill.injected ?? acquire.end, basis: "automatic renewal" };
  }
  if (renewsByItself) {
    const endNs = endedBy === "lost" && endEvent ? endEvent.atNs : Number.POSITIVE_INFINITY;
    return { endNs, from: acquire.end, basis: "automatic renewal" };
  }
  let claim = promiseOf(acquire, acquire.end, ttlMs);
  for (const extension of execution.extends) {
    const { end } = extension;
    if (end?.phase !== "ok" || end.atNs < acquire.end.atNs || end.atNs > atNs) continue;
    claim = promiseOf(extension, end, ttlMs);
  }
  return claim;
}

export interface ClaimOptions {
  ttlMs: number;
  renewsByItself: boolean;
  /** Its worker stands still at the moment, by a fault. */
  standstill?: Pick<FaultWindow, "startNs" | "injected"> | undefined;
  /** The moment, ns. Absent: the last word. */
  atNs?: number;
}

function promiseOf({ invoke }: Operated, returned: HistoryEvent, ttlMs: number): Claim {
  const { validUntilMs, wallMs, atNs } = returned;
  if (validUntilMs !== undefined && wallMs !== undefined) {
    return { endNs: atNs + Math.round((validUntilMs - wallMs) * 1e6), from: returned, basis: "validUntil" };
  }
  return { endNs: (invoke ?? returned).atNs + ttlMs * 1e6, from: invoke ?? returned, basis: "ttl" };
}
