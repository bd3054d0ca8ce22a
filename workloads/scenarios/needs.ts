import type { ScenarioLock } from "../../harness/contracts/scenario.ts";

/** Reasons why a scenario has nothing to say about a lock. */
type Need = (lock: ScenarioLock) => string | undefined;

export const needsRenewal: Need = ({ capabilities }) =>
  capabilities.renewal === "auto" ? undefined : "it is about locks that renew themselves";

export const needsNoRenewal: Need = ({ capabilities }) =>
  capabilities.renewal === "auto" ? "it is about locks that are not renewed" : undefined;

/** It is about what happens when a TTL is over that its holder has outlived. */
export const needsTtl: Need = ({ capabilities }) =>
  capabilities.lease === "never"
    ? "its holds have no end of their own, so that nobody holds beside a late holder"
    : undefined;

export const needsQuorum: Need = ({ capabilities }) =>
  capabilities.nodes > 1 ? undefined : "it is about locks on independent nodes";

export const needsOneServer: Need = ({ capabilities }) =>
  capabilities.nodes > 1 ? "it is about locks on one server" : undefined;

export const needsFencing: Need = ({ capabilities }) =>
  capabilities.fencing === "none" ? "it is about fencing tokens, and this lock mints none" : undefined;

export const needsCommandTimeout: Need = ({ capabilities }) =>
  capabilities.commandTimeout === "none" || capabilities.commandTimeout === "unsent"
    ? "its client has no time limit for a command that was sent"
    : undefined;

export const needsSentinel: Need = ({ capabilities }) =>
  capabilities.sentinel === false ? "it does not follow a primary that sentinels name" : undefined;

/** It is about what happens to the lock's own commands on their way. */
export const needsRedis: Need = ({ capabilities }) =>
  capabilities.usesRedis === false ? "it is about commands to Redis, and this lock sends none" : undefined;

/** A queue's own lock is driven by the queue's Workers, on keys that nobody else can have. */
export const needsOwnAcquire: Need = ({ queue }) =>
  queue === undefined ? undefined : "its lock is inside the queue, one for each job, and nobody else can ask for it";

export const needsQueue =
  (name: string): Need =>
  ({ queue }) =>
    queue === name ? undefined : `it is about the lock inside the queue ${name}`;

/** The first reason, if there is one. */
export const firstOf =
  (...needs: readonly Need[]): Need =>
  (lock) => {
    for (const need of needs) {
      const reason = need(lock);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
