import os from "node:os";
import type { RedisInstallation } from "../redis/installation.ts";
import type { LockResult } from "../results/lock-schema.ts";

/** The machine that a result was measured on. */
export function environmentFacts(redis?: RedisInstallation): LockResult["environment"] {
  const cpus = os.cpus();
  return {
    node: process.version.slice(1),
    os: `${os.type()} ${os.release()} ${os.arch()}`,
    cpu: cpus[0]?.model.trim() || "unknown",
    cores: os.availableParallelism(),
    ...(redis ? { redis: { version: redis.version, source: redis.flavour, how: redis.how } } : {}),
  };
}
