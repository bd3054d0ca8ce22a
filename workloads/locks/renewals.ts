import type { LostListener } from "../../harness/contracts/lock-adapter.ts";

export interface RenewedHold {
  key: string;
  token: string;
  ttlMs: number;
}

export interface Renewals {
  /**
   * Renews from now on.
   * @param askedAtMs when the acquire was called: the lease cannot end earlier than its TTL from then
   */
  begin(hold: RenewedHold, options: { askedAtMs: number; everyMs: number }): void;
  /** Renews no more. A renewal that is under way may still arrive at the server, before whatever is sent from now on. */
  end(token: string): void;
  endAll(): void;
  onLost(listener: LostListener): void;
}

interface Renewed extends RenewedHold {
  everyMs: number;
  /** The lease lasts at least until then, by this process's monotonic clock. */
  leaseEndsAtMs: number;
  timer?: NodeJS.Timeout;
  underWay: boolean;
  lastError?: unknown;
}

/**
 * Keeps holds alive on a timer and tells when one is lost: its key has another owner, or its lease ended before a renewal
 * was confirmed. An error is tried again until the lease ends, since the key is the holder's until then.
 * @param renew gives whether the key was still the holder's; rejects when that is not known
 */
export function createRenewals({
  nowMs,
  renew,
}: {
  nowMs: () => number;
  renew: (hold: RenewedHold) => Promise<boolean>;
}): Renewals {
  const holds = new Map<string, Renewed>();
  let tell: LostListener = () => {};

  function schedule(hold: Renewed): void {
    const waitMs = Math.max(0, Math.min(hold.everyMs, hold.leaseEndsAtMs - nowMs()));
    hold.timer = setTimeout(() => tick(hold), waitMs);
  }

  function tick(hold: Renewed): void {
    if (nowMs() >= hold.leaseEndsAtMs) {
      lose(hold, `the lease ended before a renewal was confirmed${because(hold.lastError)}`);
      return;
    }
    if (!hold.underWay) void renewOnce(hold);
    schedule(hold);
  }

  async function renewOnce(hold: Renewed): Promise<void> {
    const askedAtMs = nowMs();
    hold.underWay = true;
    try {
      const ours = await renew(hold);
      if (!holds.has(hold.token)) return;
      if (!ours) lose(hold, "a renewal found that the key is no longer its own");
      else if (nowMs() >= hold.leaseEndsAtMs) lose(hold, "a renewal was confirmed only after the lease had ended");
      else hold.leaseEndsAtMs = askedAtMs + hold.ttlMs;
      hold.lastError = undefined;
    } catch (error) {
      hold.lastError = error;
    } finally {
      hold.underWay = false;
    }
  }

  function lose(hold: Renewed, reason: string): void {
    end(hold.token);
    tell({ key: hold.key, token: hold.token, reason });
  }

  function end(token: string): void {
    clearTimeout(holds.get(token)?.timer);
    holds.delete(token);
  }

  return {
    begin(hold, { askedAtMs, everyMs }) {
      const renewed: Renewed = { ...hold, everyMs, leaseEndsAtMs: askedAtMs + hold.ttlMs, underWay: false };
      holds.set(hold.token, renewed);
      schedule(renewed);
    },
    end,
    endAll() {
      for (const token of holds.keys()) end(token);
    },
    onLost(listener) {
      tell = listener;
    },
  };
}

const because = (error: unknown) => (error instanceof Error ? `: ${error.message}` : "");
