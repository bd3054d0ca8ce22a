import type {
  AcquireOutcome,
  ChangedDefault,
  Lock,
  LockCapabilities,
  LockContext,
  LostListener,
} from "../../../harness/contracts/lock-adapter.ts";
import { majorityOf } from "../quorum.ts";
import { connectIoredisNodes, type IoredisNodes } from "./ioredis-nodes.ts";
import type { NodeTape } from "./node-log.ts";
import { readRetries } from "./retries.ts";

/** The part of redis-semaphore's Mutex and RedlockMutex that is driven here. */
export interface SemaphoreMutex {
  readonly identifier: string;
  readonly isAcquired: boolean;
  tryAcquire(signal: AbortSignal): Promise<boolean>;
  release(): Promise<void>;
}

export interface SemaphoreOptions {
  lockTimeout: number;
  acquireAttemptsLimit: number;
  onLockLost: (error: Error) => void;
}

export const semaphoreChanges: readonly ChangedDefault[] = [
  { option: "acquireAttemptsLimit", libraryDefault: "Infinity", used: 1, why: "an acquire is one attempt" },
  { option: "lockTimeout", libraryDefault: 10_000, used: "the TTL", why: "the lease is the run's" },
  {
    option: "onLockLost",
    libraryDefault: "throws",
    used: "tells the holder",
    why: "thrown in a timer it ends the process",
  },
];

interface Made {
  context: LockContext;
  name: string;
  capabilities: LockCapabilities;
  makeMutex: (nodes: IoredisNodes, key: string, options: SemaphoreOptions) => SemaphoreMutex;
  /** What an acquire that gave `false` means. */
  refusal: (nodes: IoredisNodes, tape: NodeTape) => AcquireOutcome;
  /** What an acquire that threw means. */
  failure: (error: unknown) => AcquireOutcome;
}

/**
 * redis-semaphore renews every 0.8 x TTL by itself, and says when a renewal found the lock gone. It waits its
 * retryInterval of 10 ms even after the last attempt. A release does not tell what came of it: that is read off the
 * nodes' answers.
 */
export function createSemaphoreLock({ context, name, capabilities, makeMutex, refusal, failure }: Made): Lock {
  const attempts = readRetries(name, context.options) + 1;
  const nodes = connectIoredisNodes(context, name);
  const holds = new Map<string, SemaphoreMutex>();
  let tell: LostListener = () => {};
  return {
    capabilities,
    async acquire(key, ttlMs, { signal }) {
      const mutex = makeMutex(nodes, nodes.keyOf(key), {
        lockTimeout: ttlMs,
        acquireAttemptsLimit: attempts,
        onLockLost: ({ message }) => tell({ key, token: mutex.identifier, reason: message }),
      });
      const tape = nodes.log.tape();
      try {
        if (!(await tape.record(() => mutex.tryAcquire(signal)))) return refusal(nodes, tape);
      } catch (error) {
        return failure(error);
      }
      holds.set(mutex.identifier, mutex);
      return { outcome: "granted", token: mutex.identifier };
    },
    async release(_key, token) {
      const mutex = holds.get(token);
      holds.delete(token);
      if (!mutex) return { outcome: "not-owner" };
      // A lock that it takes for lost is not released by the library; whether it is still there nobody has asked.
      if (!mutex.isAcquired) return { outcome: "unknown", error: new Error("given up as lost, and not released") };
      const tape = nodes.log.tape();
      try {
        await tape.record(() => mutex.release());
      } catch (error) {
        return failure(error).outcome === "failed" ? { outcome: "failed", error } : { outcome: "unknown", error };
      }
      return released(tape, nodes.clients.length);
    },
    onLost(listener) {
      tell = listener;
    },
    redisKeys: (key) => nodes.everywhere(`mutex:${nodes.keyOf(key)}`),
    async close() {
      await Promise.allSettled([...holds.values()].map((mutex) => mutex.release()));
      await nodes.close();
    },
  };
}

function released({ calls, errors }: NodeTape, nodes: number) {
  const freed = calls.filter(({ result }) => "reply" in result && Number(result.reply) === 1).length;
  if (freed >= majorityOf(nodes)) return { outcome: "released" as const };
  const [first] = errors();
  return first ? { outcome: "unknown" as const, error: first.error } : { outcome: "not-owner" as const };
}
