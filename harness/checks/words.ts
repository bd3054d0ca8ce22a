import type { Evidence } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";

/** A length of time for people: `1.4 s`, `12.3 ms`, `250 µs`. */
export function duration(ns: number): string {
  const ms = Math.abs(ns) / 1e6;
  if (ms >= 60_000) return `${trimmed(ms / 60_000)} min`;
  if (ms >= 1000) return `${trimmed(ms / 1000)} s`;
  return ms >= 1 ? `${trimmed(ms)} ms` : `${Math.round(ms * 1000)} µs`;
}

/** When a promise ends, said of an event before its end or at it. */
export function endsAfter(promise: string, ns: number): string {
  return Math.round(ns / 1000) === 0 ? `${promise} ends here` : `${promise} ends ${duration(ns)} after this`;
}

/** `1 job`, `3 jobs`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Events with their notes, in the order of time, each once. Of two notes on one event both stay. */
export function excerpt(...entries: readonly (readonly [HistoryEvent | undefined, string])[]): Evidence[] {
  const notes = new Map<HistoryEvent, string>();
  for (const [event, note] of entries) {
    if (!event) continue;
    const before = notes.get(event);
    notes.set(event, before ? `${before}; ${note}` : note);
  }
  return [...notes].map(([event, note]) => ({ ...event, note })).sort((a, b) => a.atNs - b.atNs);
}

/** The excerpt with the end of a promise laid on the grant that it belongs to; what never ends is left out. */
export function promised(evidence: readonly Evidence[], grant: HistoryEvent, endNs: number): Evidence[] {
  if (!Number.isFinite(endNs)) return [...evidence];
  return evidence.map((event) =>
    event.op === grant.op && event.phase === grant.phase && event.atNs === grant.atNs && event.worker === grant.worker
      ? { ...event, promiseEndsAtNs: Math.round(endNs) }
      : event,
  );
}

export function worker(event: { worker: number; incarnation?: number }): string {
  return (event.incarnation ?? 1) > 1
    ? `worker ${event.worker} (process ${event.incarnation})`
    : `worker ${event.worker}`;
}

function trimmed(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** `a flush`, `an eviction`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}
