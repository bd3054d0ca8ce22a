import type { Redis } from "ioredis";
import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { connectNode } from "../ioredis-client.ts";
import { onlyNode } from "../single-node.ts";
import { createLockObjects, type LockObject, lockObjectChanges } from "./lock-object-family.ts";
import { npmPackages } from "./packages.ts";

interface IoredisLock {
  createLock(client: Redis, options: { timeout: number; retries: number }): LockObject;
}

const capabilities: LockCapabilities = { renewal: "manual", fencing: "none", nodes: 1, client: "ioredis 6" };

/** ioredis-lock 4.0.0. It asks for ioredis 4 as its peer; it works with 5 and 6. */
const ioredisLock: LockModule = {
  capabilities,
  changedDefaults: lockObjectChanges,
  packages: [npmPackages.ioredisLock],
  createLock(context) {
    const { createLock } = loadPackage<IoredisLock>(npmPackages.ioredisLock);
    const client = connectNode(onlyNode(context, "ioredis-lock"), context);
    return createLockObjects({
      ...{ context, name: "ioredis-lock", capabilities },
      makeLock: (options) => createLock(client, options),
      close: () => client.disconnect(),
    });
  },
};

export default ioredisLock;
