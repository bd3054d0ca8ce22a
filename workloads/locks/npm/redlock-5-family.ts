import type { Redis } from "ioredis";
import type {
  AcquireOutcome,
  ChangedDefault,
  Lock,
  LockCapabilities,
  LockContext,
  LostListener,
} from "../../../harness/contracts/lock-adapter.ts";
import { connectIoredisNodes, type IoredisNodes } from "./ioredis-nodes.ts";
import type { NodeTape } from "./node-log.ts";
import { notGranted } from "./not-granted.ts";
import { readRetries } from "./retries.ts";
import { endAll, type RoutineHold } from "./routine-holds.ts";

/** A hold of redlock 5 and of what was forked from it. */
export interface Redlock5Lock {
  value: string;
  /** ms since the epoch. */
  expiration: number;
}

/** The part of redlock 5's interface that is driven here; @sesamecare-oss/redlock has the same. */
export interface Redlock5 {
  acquire(resources: string[], durationMs: number, settings?: Redlock5Settings): Promise<Redlock5Lock>;
  extend(lock: Redlock5Lock, durationMs: number): Promise<Redlock5Lock>;
  release(lock: Redlock5Lock): Promise<unknown>;
  using<Value>(
    resources: string[],
    durationMs: number,
    settings: Redlock5Settings,
    routine: (signal: AbortSignal & { error?: Error }) => Promise<Value>,
  ): Promise<Value>;
}

export interface Redlock5Settings {
  retryCount?: number;
  automaticExtensionThreshold?: number;
  db?: number;
}

export type Redlock5Class = new (clients: readonly Redis[], settings?: Redlock5Settings) => Redlock5;

/** The library's threshold for automatic extension, and what it needs above it, ms. */
const EXTENSION_THRESHOLD_MS = 500;
const ROOM_ABOVE_THRESHOLD_MS = 100;

const oneAttempt: ChangedDefault = {
  option: "retryCount",
  libraryDefault: 10,
  used: 0,
  why: "an acquire is one attempt; releases and extensions keep the default",
};

export const manualCapabilities: LockCapabilities = {
  ...{ renewal: "manual", fencing: "none", nodes: 5, client: "ioredis 6" },
};
export const manualChanges: readonly ChangedDefault[] = [oneAttempt];

export const usingCapabilities: LockCapabilities = {
  ...{ renewal: "auto", fencing: "none", nodes: 5, client: "ioredis 6" },
};
export const usingChanges: readonly ChangedDefault[] = [
  oneAttempt,
  {
    option: "automaticExtensionThreshold",
    libraryDefault: EXTENSION_THRESHOLD_MS,
    used: "half the TTL where that is less than 600 ms",
    why: "the library refuses a TTL below the threshold and 100 ms",
  },
];

interface Made {
  context: LockContext;
  /** The lock's name here. */
  name: string;
  make: (clients: readonly Redis[]) => Redlock5;
}

/** acquire, extend and release, each called by the holder. */
export function createManual({ context, name, make }: Made): Lock {
  const retryCount = readRetries(name, context.options);
  const nodes = connectIoredisNodes(context, name);
  const redlock = make(nodes.clients);
  const holds = new Map<string, Redlock5Lock>();
  return {
    capabilities: manualCapabilities,
    async acquire(key, ttlMs) {
      const tape = nodes.log.tape();
      try {
        const hold = await tape.record(() => redlock.acquire([nodes.keyOf(key)], ttlMs, { retryCount }));
        holds.set(hold.value, hold);
        return { outcome: "granted", token: hold.value, validUntil: hold.expiration };
      } catch (error) {
        return refusal(error, nodes, tape);
      }
    },
    async extend(_key, token, ttlMs) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      const tape = nodes.log.tape();
      try {
        const extended = await tape.record(() => redlock.extend(hold, ttlMs));
        holds.set(token, extended);
        return { outcome: "extended", validUntil: extended.expiration };
      } catch (error) {
        return tape.errors().length > 0 ? { outcome: "unknown", error } : { outcome: "not-owner" };
      }
    },
    async release(_key, token) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      holds.delete(token);
      const tape = nodes.log.tape();
      try {
        await tape.record(() => redlock.release(hold));
        return { outcome: "released" };
      } catch (error) {
        return tape.errors().length > 0 ? { outcome: "unknown", error } : { outcome: "not-owner" };
      }
    },
    redisKeys: (key) => nodes.everywhere(nodes.keyOf(key)),
    close: nodes.close,
  };
}

interface UsingHold extends RoutineHold {
  tape: NodeTape;
}

/** `using()`: the library renews by itself and aborts its signal when that fails. */
export function createUsing({ context, name, make }: Made): Lock {
  const retryCount = readRetries(name, context.options);
  const nodes = connectIoredisNodes(context, name);
  const redlock = make(nodes.clients);
  const holds = new Map<string, UsingHold>();
  let tell: LostListener = () => {};

  function acquire(key: string, ttlMs: number): Promise<AcquireOutcome> {
    const tape = nodes.log.tape();
    // `using` tells its routine nothing of the hold: its token is read off the acquire that it makes.
    let hold: Redlock5Lock | undefined;
    const observed = Object.assign(Object.create(redlock) as Redlock5, {
      acquire: async (...args: Parameters<Redlock5["acquire"]>) => {
        hold = await redlock.acquire(...args);
        return hold;
      },
    });
    return new Promise((resolve) => {
      const settings = { retryCount, ...threshold(ttlMs) };
      const ended = tape.record(() =>
        observed.using([nodes.keyOf(key)], ttlMs, settings, (signal) => {
          const { value: token, expiration } = hold as Redlock5Lock;
          signal.addEventListener("abort", () => {
            tell({ key, token, reason: signal.error?.message ?? "the library aborted its signal" });
          });
          return new Promise<void>((end) => {
            holds.set(token, { end, ended, tape });
            resolve({ outcome: "granted", token, validUntil: expiration });
          });
        }),
      );
      ended.catch((error: unknown) => {
        if (!hold) resolve(refusal(error, nodes, tape));
      });
    });
  }

  return {
    capabilities: usingCapabilities,
    acquire,
    async release(_key, token) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      holds.delete(token);
      hold.tape.calls.length = 0;
      hold.end();
      try {
        await hold.ended;
        return { outcome: "released" };
      } catch (error) {
        return hold.tape.errors().length > 0 ? { outcome: "unknown", error } : { outcome: "not-owner" };
      }
    },
    onLost(listener) {
      tell = listener;
    },
    redisKeys: (key) => nodes.everywhere(nodes.keyOf(key)),
    async close() {
      await endAll(holds);
      await nodes.close();
    },
  };
}

function threshold(ttlMs: number): Redlock5Settings {
  if (ttlMs >= EXTENSION_THRESHOLD_MS + ROOM_ABOVE_THRESHOLD_MS) return {};
  return { automaticExtensionThreshold: Math.min(Math.floor(ttlMs / 2), ttlMs - ROOM_ABOVE_THRESHOLD_MS) };
}

/** The library's word for "could not": any other error is a misuse, of which no node heard. */
function refusal(error: unknown, { clients }: IoredisNodes, tape: NodeTape): AcquireOutcome {
  if (!(error instanceof Error) || error.name !== "ExecutionError") return { outcome: "failed", error };
  return notGranted(error, { nodes: clients.length, nodeErrors: tape.errors() });
}
