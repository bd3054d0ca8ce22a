import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createRedisKitLock, redisKitAutoChanges, redisKitCapabilities } from "./redis-kit-lock-family.ts";

/** @redis-kit/lock 0.1.0-3 with its automatic extension, which does not tell the holder when it fails. */
const redisKitLockAuto: LockModule = {
  capabilities: redisKitCapabilities("auto"),
  changedDefaults: redisKitAutoChanges,
  packages: [npmPackages.redisKitLock, npmPackages.nodeRedis5],
  createLock: (context) => createRedisKitLock(context, { name: "redis-kit-lock-auto", renewal: "auto" }),
};

export default redisKitLockAuto;
