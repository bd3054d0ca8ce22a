import type { ExtendOutcome, Lock } from "../../contracts/lock-adapter.ts";
import { messageOf } from "../../errors.ts";
import type { JournalEntry } from "../journal.ts";
import { ContractBreach, extendAnswer, promised } from "./contract-answers.ts";

export interface RenewalOptions {
  lock: Lock;
  /** Of its module. */
  path: string;
  /** Its answer broke the contract. */
  breach(breach: ContractBreach): void;
  key: string;
  token: string;
  ttlMs: number;
  everyMs: number;
  /** When the acquire was called: the lease counts from there, ns since the start of the run. */
  leasedAtNs: number;
  nowNs(): number;
  wallMs(): number;
  record(entry: Omit<JournalEntry, "job" | "key" | "execution">): void;
  /** The hold is over: another has it, or it could not be renewed before its lease ended. */
  onLost(reason: string): void;
}

/**
 * Renews a hold by hand, for a lock that leaves that to its user: every so often until it is stopped, again at the next
 * turn after an error, and not beyond the end of the lease.
 */
export function renewByHand(options: RenewalOptions): { stop(): void } {
  const { lock, key, token, ttlMs, everyMs, nowNs, record } = options;
  let leaseEndsNs = options.leasedAtNs + ttlMs * 1e6;
  let over = false;
  let next: NodeJS.Timeout | undefined;
  let end: NodeJS.Timeout | undefined;

  function finish(): void {
    over = true;
    clearTimeout(next);
    clearTimeout(end);
  }

  function lose(reason: string): void {
    if (over) return;
    finish();
    options.onLost(reason);
  }

  function watchLease(): void {
    clearTimeout(end);
    end = setTimeout(() => lose("not renewed before its lease ended"), Math.max(0, (leaseEndsNs - nowNs()) / 1e6));
  }

  async function turn(): Promise<void> {
    const atNs = nowNs();
    record({ atNs, op: "extend", phase: "invoke", token });
    const outcome = await promised(() => lock.extend?.(key, token, ttlMs) ?? noExtend())
      .then((answer) => extendAnswer(answer, options.path))
      .catch((error: unknown): ExtendOutcome => {
        if (error instanceof ContractBreach) options.breach(error);
        return { outcome: "failed", error };
      });
    record({ op: "extend", token, ...described(outcome), wallMs: options.wallMs() });
    if (over) return;
    if (outcome.outcome === "not-owner") return lose("another has the lock, or nobody");
    if (outcome.outcome === "extended") {
      leaseEndsNs = atNs + ttlMs * 1e6;
      watchLease();
    }
    plan();
  }

  function plan(): void {
    next = setTimeout(() => void turn(), everyMs);
  }

  watchLease();
  plan();
  return { stop: finish };
}

const noExtend = () => Promise.reject(new Error("the lock has no extend"));

function described(outcome: ExtendOutcome): Pick<JournalEntry, "phase" | "outcome"> & Partial<JournalEntry> {
  const { outcome: word } = outcome;
  const phase = word === "extended" ? "ok" : word === "unknown" ? "info" : "fail";
  const error = "error" in outcome ? { error: messageOf(outcome.error) } : {};
  const validUntil = "validUntil" in outcome && outcome.validUntil !== undefined;
  return { phase, outcome: word, ...error, ...(validUntil ? { validUntilMs: outcome.validUntil as number } : {}) };
}
