/**
 * The lock that cannot be wrong, as a negative control of the checks: one server in the orchestrator, on a socket of its
 * own, outside all faults. Whoever holds a key holds it until it releases it or its connection closes. The messages are
 * lines of JSON; each request has one reply with its id.
 */
export const MUTEX_SERVER = "mutex-server";

export type MutexRequest =
  | { id: number; ask: "acquire"; key: string }
  | { id: number; ask: "release"; key: string; token: string };

export type MutexReply =
  /** `token` counts up over all keys, from 1. */
  { id: number; reply: "granted"; token: number } | { id: number; reply: "refused" | "released" | "not-owner" };
