/**
 * How long a quorum lock is surely held from the moment at which its majority was counted, in ms; zero or less: it is
 * not. The drift allowance is 1 % of the TTL plus 2 ms, since Redis expires keys to the millisecond and clocks run at
 * slightly different speeds. Source: redis.io, "Distributed Locks with Redis"; the figures are those of its Ruby
 * reference implementation.
 */
export function validityMs(ttlMs: number, elapsedMs: number): number {
  return ttlMs - elapsedMs - (ttlMs * 0.01 + 2);
}
