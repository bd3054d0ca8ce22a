import type {
  AcquireOutcome,
  ChangedDefault,
  LockCapabilities,
  LockModule,
} from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { onlyNode } from "../single-node.ts";
import { atMost } from "./at-most.ts";
import { npmPackages } from "./packages.ts";
import { readRetries } from "./retries.ts";
import { endAll, type RoutineHold } from "./routine-holds.ts";

interface AsyncStorage {
  runWithNewContext<Value>(run: () => Value): Value;
  get(key: string): unknown;
}

interface MurLockService {
  /** Private, but all that can end a connection whose server does not answer. */
  readonly redisClient?: { isOpen: boolean; disconnect(): Promise<void> };
  onModuleInit(): Promise<void>;
  onApplicationShutdown(): Promise<void>;
  runWithLock<Value>(key: string, ttlMs: number, operation: () => Promise<Value>): Promise<Value>;
}

const capabilities: LockCapabilities = {
  ...{ renewal: "none", fencing: "none", nodes: 1, client: "redis 4", sentinel: false, commandTimeout: "none" },
};

const changedDefaults: readonly ChangedDefault[] = [
  { option: "maxAttempts", libraryDefault: null, used: 1, why: "an acquire is one attempt" },
  { option: "wait", libraryDefault: null, used: 0, why: "the library waits even after its last attempt" },
  { option: "logLevel", libraryDefault: null, used: "error", why: "with `none` it logs everything" },
];

/** The start waits so long for the server; the library goes on trying by itself, ms. */
const CONNECT_LIMIT_MS = 2_000;
const CLOSE_LIMIT_MS = 1_000;

/**
 * murlock 4.4.0. Its service is made as NestJS would make it, from its options and an asynchronous storage, and started
 * by the lifecycle hook that NestJS would call; no application is needed. Its client is its own, redis 4, which has
 * no time limit for a command. A hold is what `runWithLock` runs.
 */
const murlock: LockModule = {
  capabilities,
  changedDefaults,
  packages: [npmPackages.murlock],
  async createLock(context) {
    const maxAttempts = readRetries("murlock", context.options) + 1;
    const { host, port, tls, tlsServerName, db, username, password } = onlyNode(context, "murlock");
    const { service, storage } = makeService({
      ...{ maxAttempts, wait: 0, logLevel: "error" },
      redisOptions: {
        socket: { host, port, ...(tls ? { tls } : {}), ...(tlsServerName ? { servername: tlsServerName } : {}) },
        database: db,
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password }),
      },
    });
    await atMost(CONNECT_LIMIT_MS, service.onModuleInit());
    const nameOf = (key: string) => `${context.keyPrefix}lock:${key}`;
    const holds = new Map<string, RoutineHold>();

    function acquire(key: string, ttlMs: number): Promise<AcquireOutcome> {
      return new Promise((resolve) => {
        let isGranted = false;
        const ended: Promise<unknown> = storage.runWithNewContext(() =>
          service.runWithLock(nameOf(key), ttlMs, () => {
            isGranted = true;
            const token = String(storage.get("clientId"));
            return new Promise<void>((end) => {
              holds.set(token, { end, ended });
              resolve({ outcome: "granted", token });
            });
          }),
        );
        ended.catch((error: Error) => {
          if (!isGranted) resolve(refusal(error, nameOf(key)));
        });
      });
    }

    return {
      capabilities,
      acquire,
      async release(key, token) {
        const hold = holds.get(token);
        if (!hold) return { outcome: "not-owner" };
        holds.delete(token);
        hold.end();
        try {
          await hold.ended;
          return { outcome: "released" };
        } catch (error) {
          const why = reason(error as Error, `Failed to release lock for key ${nameOf(key)}`);
          return why === "" ? { outcome: "not-owner" } : updateError(new Error(why));
        }
      },
      redisKeys: (key) => [{ node: 1, db, key: nameOf(key) }],
      async close() {
        await endAll(holds);
        await atMost(CLOSE_LIMIT_MS, service.onApplicationShutdown());
        if (service.redisClient?.isOpen) await service.redisClient.disconnect().catch(() => {});
      },
    };
  },
};

export default murlock;

/** Its storage is not exported, since NestJS wires it. */
function makeService(options: object): { service: MurLockService; storage: AsyncStorage } {
  const wanted = npmPackages.murlock;
  const { MurLockService } = loadPackage<{
    MurLockService: new (options: object, storage: AsyncStorage) => MurLockService;
  }>(wanted);
  const { AsyncStorageService } = loadPackage<{ AsyncStorageService: new (manager: object) => AsyncStorage }>({
    ...wanted,
    file: "/dist/als/als.service.js",
  });
  const { AsyncStorageManager } = loadPackage<{ AsyncStorageManager: new () => object }>({
    ...wanted,
    file: "/dist/als/als-manager.js",
  });
  const storage = new AsyncStorageService(new AsyncStorageManager());
  return { service: new MurLockService(options, storage), storage };
}

function refusal(error: Error, name: string): AcquireOutcome {
  const why = reason(error, `Failed to acquire lock for key ${name}`);
  if (why.startsWith("Failed to obtain lock")) return { outcome: "refused" };
  return acquireError(new Error(reason(new Error(why), `Unexpected error when trying to obtain lock for key ${name}`)));
}

/** The library puts a sentence of its own before the message of an error, twice at times: what is left without it. */
function reason({ message }: Error, sentence: string): string {
  let left = message;
  while (left.startsWith(sentence)) left = left.slice(sentence.length).replace(/^: /, "");
  return left;
}
