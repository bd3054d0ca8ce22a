import type { Lock } from "../contracts/lock-adapter.ts";
import { messageOf } from "../errors.ts";
import { flawOfCapabilities } from "./verify-capabilities.ts";

/** A key to ask redisKeys for. */
export const PROBE_KEY = "holdfast-key-1";

/**
 * Holds what createLock gave against the contract, before anything depends on it.
 * @throws Error that names the member that is missing, or the value that cannot be
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
  const { capabilities } = made;
  if (typeof capabilities !== "object" || capabilities === null) {
    throw new Error(`the lock that ${path} makes states no \`capabilities\``);
  }
  const flaw = flawOfCapabilities(capabilities);
  if (flaw !== undefined) throw new Error(`the \`capabilities\` of ${path} say ${flaw}`);
  if (capabilities.renewal === "manual" && typeof made.extend !== "function") {
    throw new Error(`${path} says that renewal is manual, and makes a lock without \`extend\``);
  }
  refuseStrangeKeys(made as Lock, path);
  return made as Lock;
}

/** The keys are read while the run begins: what cannot be read would end it there. */
function refuseStrangeKeys(lock: Lock, path: string): void {
  const keys: unknown = called(() => lock.redisKeys(PROBE_KEY), path);
  const refuse = (wanted: string): never => {
    throw new Error(`redisKeys of ${path} returned ${shown(keys)}; ${wanted}`);
  };
  if (!Array.isArray(keys) || !keys.every(isKey)) refuse("it has to return a list of { node, db, key }");
  if ((keys as { node: number }[]).some(({ node }) => node < 1)) refuse("nodes count from 1");
}

function called<Value>(call: () => Value, path: string): Value {
  try {
    return call();
  } catch (error) {
    throw new Error(`redisKeys of ${path} threw: ${messageOf(error)}`, { cause: error });
  }
}

function isKey(key: unknown): boolean {
  if (typeof key !== "object" || key === null) return false;
  const { node, db, key: text } = key as Record<string, unknown>;
  return Number.isInteger(node) && (db === undefined || Number.isInteger(db)) && typeof text === "string";
}

function shown(keys: unknown): string {
  if (keys === undefined) return "nothing";
  if (keys instanceof Promise) return "a promise";
  return (JSON.stringify(keys) ?? String(keys)).slice(0, 100);
}
