import type { Lock } from "../contracts/lock-adapter.ts";

/**
 * Holds what createLock gave against the contract, before anything depends on it.
 * @throws Error that names the member that is missing
 */
export function verifyLock(lock: unknown, path: string): Lock {
  if (typeof lock !== "object" || lock === null) {
    const given = lock === undefined ? "nothing" : typeof lock === "function" ? "a function" : String(lock);
    throw new Error(`createLock of ${path} returned ${given}; it has to return a lock, or a promise of one`);
  }
  const made = lock as Partial<Lock>;
  const functions = ["acquire", "release", "redisKeys", "close"] as const;
  const missing = functions.filter((name) => typeof made[name] !== "function");
  if (missing.length > 0) {
    throw new Error(`the lock that ${path} makes lacks ${missing.map((name) => `\`${name}\``).join(", ")}`);
  }
  if (typeof made.capabilities !== "object" || made.capabilities === null) {
    throw new Error(`the lock that ${path} makes states no \`capabilities\``);
  }
  return made as Lock;
}
