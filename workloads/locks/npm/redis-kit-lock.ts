import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createRedisKitLock, redisKitCapabilities, redisKitChanges } from "./redis-kit-lock-family.ts";

/** @redis-kit/lock 0.1.0-3: acquire, extend and release, called by the holder. */
const redisKitLock: LockModule = {
  capabilities: redisKitCapabilities("manual"),
  changedDefaults: redisKitChanges,
  packages: [npmPackages.redisKitLock, npmPackages.nodeRedis5],
  createLock: (context) => createRedisKitLock(context, { name: "redis-kit-lock", renewal: "manual" }),
};

export default redisKitLock;
