import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { tlsOptions } from "../../tls-options.ts";
import { onlyNode } from "../single-node.ts";
import { createLockObjects, type LockObject, lockObjectChanges } from "./lock-object-family.ts";
import { npmPackages } from "./packages.ts";

interface CallbackClient {
  on(event: "error", listener: (error: Error) => void): void;
  end(flush: boolean): void;
}

interface CallbackRedis {
  createClient(options: {
    host: string;
    port: number;
    db: number;
    password?: string;
    user?: string;
    tls?: object;
  }): CallbackClient;
}

interface Redislock {
  createLock(client: CallbackClient, options: { timeout: number; retries: number }): LockObject;
}

const capabilities: LockCapabilities = {
  ...{ renewal: "manual", fencing: "none", nodes: 1, client: "redis 3", sentinel: false, commandTimeout: "none" },
};

/** redislock 1.3.0 with the callback client redis 3, which has no time limit for a command. */
const redislock: LockModule = {
  capabilities,
  changedDefaults: lockObjectChanges,
  packages: [npmPackages.redislock, npmPackages.callbackRedis],
  createLock(context) {
    const { createLock } = loadPackage<Redislock>(npmPackages.redislock);
    const { createClient } = loadPackage<CallbackRedis>(npmPackages.callbackRedis);
    const node = onlyNode(context, "redislock");
    const { host, port, db, username, password } = node;
    const client = createClient({
      ...{ host, port, db },
      ...(username === undefined ? {} : { user: username }),
      ...(password === undefined ? {} : { password }),
      ...tlsOptions(node),
    });
    client.on("error", () => {});
    return createLockObjects({
      ...{ context, name: "redislock", capabilities },
      makeLock: (options) => createLock(client, options),
      close: () => client.end(true),
    });
  },
};

export default redislock;
