import type { Redis } from "ioredis";
import type {
  AcquireOutcome,
  ChangedDefault,
  Lock,
  LockCapabilities,
  LockContext,
  LostListener,
} from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { majorityOf } from "../quorum.ts";
import { connectIoredisNodes } from "./ioredis-nodes.ts";
import { createNodeLog, type NodeTape } from "./node-log.ts";
import { notGranted } from "./not-granted.ts";
import { npmPackages } from "./packages.ts";
import { readRetries } from "./retries.ts";
import { endAll, type RoutineHold } from "./routine-holds.ts";

interface Handle {
  value: string;
  /** ms since the epoch, read after the answer. */
  acquiredAt: number;
  ttl: number;
}

interface UniversalLock {
  acquire(): Promise<Handle>;
  release(handle: Handle): Promise<boolean>;
  extend(handle: Handle, ttlMs: number): Promise<boolean>;
  using<Value>(routine: (signal: AbortSignal & { error?: Error }) => Promise<Value>): Promise<Value>;
}

interface LockConfig {
  key: string;
  ttl: number;
  retryAttempts: number;
}

interface Universal {
  IoredisAdapter: new (client: Redis) => object;
  createLock(config: LockConfig & { adapter: object }): UniversalLock;
  createRedlock(config: LockConfig & { adapters: readonly object[] }): UniversalLock;
}

export const universalChanges: readonly ChangedDefault[] = [
  { option: "retryAttempts", libraryDefault: 3, used: 0, why: "an acquire is one attempt" },
  { option: "ttl", libraryDefault: 30_000, used: "the TTL", why: "the lease is the run's" },
];

export function universalCapabilities({ quorum, using }: { quorum: boolean; using: boolean }): LockCapabilities {
  return { renewal: using ? "auto" : "manual", fencing: "none", nodes: quorum ? 5 : 1, client: "ioredis 6" };
}

/** The library keeps its circuit breaker in the lock object of a key: so many are kept, the oldest go first. */
const KEPT_LOCKS = 1_000;

interface Opened {
  capabilities: LockCapabilities;
  nodes: number;
  lockFor(key: string, ttlMs: number): UniversalLock;
  tape(): NodeTape;
  notGranted(error: unknown, tape: NodeTape): AcquireOutcome;
  redisKeys: Lock["redisKeys"];
  close(): Promise<void>;
}

function open(context: LockContext, name: string, { quorum, using }: { quorum: boolean; using: boolean }): Opened {
  const retryAttempts = readRetries(name, context.options);
  const { IoredisAdapter, createLock, createRedlock } = loadPackage<Universal>(npmPackages.redlockUniversal);
  const nodes = connectIoredisNodes({ ...context, nodes: quorum ? context.nodes : context.nodes.slice(0, 1) }, name);
  const log = createNodeLog();
  // Watched at the library's adapter rather than at the client: its own time limit of 5 s lies between the two.
  const adapters = nodes.clients.map((client, index) => {
    const adapter = new IoredisAdapter(client);
    for (const method of ["setNX", "delIfMatch", "extendIfMatch"]) log.watch(index + 1, adapter, method);
    return adapter;
  });
  const locks = new Map<string, { ttlMs: number; lock: UniversalLock }>();

  function make(key: string, ttlMs: number): UniversalLock {
    const config = { key: nodes.keyOf(key), ttl: ttlMs, retryAttempts };
    return quorum ? createRedlock({ ...config, adapters }) : createLock({ ...config, adapter: adapters[0] as object });
  }

  return {
    capabilities: universalCapabilities({ quorum, using }),
    nodes: adapters.length,
    lockFor(key, ttlMs) {
      const known = locks.get(key);
      if (known?.ttlMs === ttlMs) return known.lock;
      const lock = make(key, ttlMs);
      locks.set(key, { ttlMs, lock });
      if (locks.size > KEPT_LOCKS) locks.delete(locks.keys().next().value as string);
      return lock;
    },
    tape: log.tape,
    notGranted(error, tape) {
      if (!(error instanceof Error) || error.name !== "LockAcquisitionError") return { outcome: "failed", error };
      if (quorum) return notGranted(error, { nodes: adapters.length, nodeErrors: tape.errors() });
      if (error.message.includes("is already held")) return { outcome: "refused" };
      if (error.message.includes("Circuit breaker")) return { outcome: "refused", reason: error.message };
      return acquireError(tape.errors()[0]?.error ?? error);
    },
    redisKeys: (key) => nodes.everywhere(nodes.keyOf(key)),
    close: nodes.close,
  };
}

const grantOf = ({ value, acquiredAt, ttl }: Handle): AcquireOutcome => ({
  ...{ outcome: "granted", token: value },
  // The library has no word for it; this is what its own `using` goes by.
  validUntil: acquiredAt + ttl,
});

/** acquire, extend and release, each called by the holder. */
export function createUniversal(context: LockContext, name: string, { quorum }: { quorum: boolean }): Lock {
  const opened = open(context, name, { quorum, using: false });
  const holds = new Map<string, { lock: UniversalLock; handle: Handle }>();
  return {
    capabilities: opened.capabilities,
    async acquire(key, ttlMs) {
      const lock = opened.lockFor(key, ttlMs);
      const tape = opened.tape();
      try {
        const handle = await tape.record(() => lock.acquire());
        holds.set(handle.value, { lock, handle });
        return grantOf(handle);
      } catch (error) {
        return opened.notGranted(error, tape);
      }
    },
    async extend(_key, token, ttlMs) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      const tape = opened.tape();
      try {
        if (await tape.record(() => hold.lock.extend(hold.handle, ttlMs))) return { outcome: "extended" };
      } catch (error) {
        return updateError(error);
      }
      const [first] = tape.errors();
      return first ? { outcome: "unknown", error: first.error } : { outcome: "not-owner" };
    },
    async release(_key, token) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      holds.delete(token);
      const tape = opened.tape();
      try {
        if (await tape.record(() => hold.lock.release(hold.handle))) return { outcome: "released" };
      } catch (error) {
        return updateError(error);
      }
      const [first] = tape.errors();
      return first ? { outcome: "unknown", error: first.error } : { outcome: "not-owner" };
    },
    redisKeys: opened.redisKeys,
    close: opened.close,
  };
}

interface UsingHold extends RoutineHold {
  tape: NodeTape;
}

/**
 * `using()`: the library renews by itself and aborts its signal when that fails. It swallows what comes of its release:
 * that is read off the nodes' answers.
 */
export function createUniversalUsing(context: LockContext, name: string, { quorum }: { quorum: boolean }): Lock {
  const opened = open(context, name, { quorum, using: true });
  const holds = new Map<string, UsingHold>();
  let tell: LostListener = () => {};
  return {
    capabilities: opened.capabilities,
    acquire(key, ttlMs) {
      const lock = opened.lockFor(key, ttlMs);
      const tape = opened.tape();
      // `using` tells its routine nothing of the hold: its token is read off the acquire that it makes.
      let handle: Handle | undefined;
      const observed = Object.assign(Object.create(lock) as UniversalLock, {
        acquire: async () => {
          handle = await lock.acquire();
          return handle;
        },
      });
      return new Promise((resolve) => {
        const ended: Promise<unknown> = tape.record(() =>
          observed.using((signal) => {
            const held = handle as Handle;
            signal.addEventListener("abort", () => {
              tell({ key, token: held.value, reason: signal.error?.message ?? "the library aborted its signal" });
            });
            return new Promise<void>((end) => {
              holds.set(held.value, { end, ended, tape });
              resolve(grantOf(held));
            });
          }),
        );
        ended.catch((error: unknown) => {
          if (!handle) resolve(opened.notGranted(error, tape));
        });
      });
    },
    async release(_key, token) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      holds.delete(token);
      const { tape } = hold;
      tape.calls.length = 0;
      hold.end();
      await hold.ended;
      const releases = tape.calls.filter(({ method }) => method === "delIfMatch");
      const freed = releases.filter(({ result }) => "reply" in result && result.reply === true).length;
      if (freed >= majorityOf(opened.nodes)) return { outcome: "released" };
      const [first] = tape.errors();
      return first ? { outcome: "unknown", error: first.error } : { outcome: "not-owner" };
    },
    onLost(listener) {
      tell = listener;
    },
    redisKeys: opened.redisKeys,
    async close() {
      await endAll(holds);
      await opened.close();
    },
  };
}
