import type { Clock } from "./clock.ts";
import type { NeededPackage } from "./module-ref.ts";

/** A Redis node as a lock's client reaches it (through the fault proxy, where there is one). */
export interface LockNode {
  host: string;
  port: number;
  tls?: boolean;
  /** The name that the certificate must be for, where that is not `host`: behind the fault proxy. */
  tlsServerName?: string;
  username?: string;
  password?: string;
  /** Database number. */
  db: number;
  /**
   * Source address that connections of this worker should bind to, such as `127.0.1.2`. The proxy tells workers apart
   * by it, so that a partition can name a worker. A client library that cannot set it leaves it out.
   */
  localAddress?: string;
  /**
   * Present where sentinels say who the primary is: a client asks them, connects to whom they name, and asks again when
   * that one is gone. `host` and `port` are the primary's at the start.
   */
  sentinel?: SentinelAddress;
}

/** Where a client finds a primary that may change. */
export interface SentinelAddress {
  /** The name that the sentinels know the primary by. */
  primaryName: string;
  sentinels: readonly { host: string; port: number }[];
}

/** What a lock is made from. One per worker process. */
export interface LockContext {
  /** One node, or the independent nodes of a quorum lock, in the order `node:1`, `node:2`, ... */
  nodes: readonly LockNode[];
  /** Prefix of every key that the lock writes. On a server that the run does not own, nothing else is touched. */
  keyPrefix: string;
  /** The worker's wall clock. May be offset, step and drift. */
  clock: Clock;
  /** Time in ms that never steps, to measure how long something took. Absent: `performance.now()`. */
  monotonicMs?: () => number;
  /** Time limit for one Redis command, in ms. Absent: the client library's default, which is often to wait for ever. */
  commandTimeoutMs?: number;
  /**
   * The run is the closed-loop benchmark: a client that can send the commands of one tick together should. Such a
   * client answers sooner under that load, and later at any other.
   */
  batchCommands?: boolean;
  /** Options of the lock itself, as given on the command line or in the configuration. */
  options: Readonly<Record<string, unknown>>;
}

/** What a lock can do. What it cannot is *not applicable* in the matrix, never a failure. */
export interface LockCapabilities {
  /** `auto`: the library renews by itself; `manual`: it has `extend`; `none`: a lease ends at its TTL. */
  renewal: "auto" | "manual" | "none";
  /**
   * How a hold ends that nobody releases: `ttl`, the default; `connection`: when the holder's connection closes, and not
   * before; `never`: it does not, which is a mistake of the lock, and judged like a TTL that is not kept.
   */
  lease?: "ttl" | "connection" | "never";
  /** `atomic`: the fencing token is minted in the same step as the grant. */
  fencing: "atomic" | "non-atomic" | "none";
  /** How many independent Redis nodes it needs: 1, or the size of its quorum set, such as 5. */
  nodes: number;
  /** False: it grants whatever is asked, since something else decides, such as a queue: its answers say nothing. */
  decides?: boolean;
  /** False: it keeps its locks elsewhere, so that what happens to Redis commands on their way never meets it. */
  usesRedis?: boolean;
  /** Client library and the version range it was used with: `ioredis 6`, `redis 5`. */
  client: string;
  /** True: a key whose work is done is refused for a time, so that every job needs a key of its own. */
  oncePerKey?: boolean;
  /**
   * What `commandTimeoutMs` can do here. `full`, the default: it limits every command. `unsent`: the client has a limit
   * only for commands that it could not write yet. `none`: the client has no such limit.
   */
  commandTimeout?: "full" | "unsent" | "none";
  /** False: it does not follow a primary that sentinels name, and is refused with the topology sentinel. */
  sentinel?: boolean;
  /**
   * How long one acquire, extend or release takes at the longest by the library's own statement, in ms, retries
   * included. Absent: it states none, and an operation counts as hanging after TTL + 5 s.
   */
  budgetMs?: number;
}

/** An option of a library that its adapter does not leave at the library's default. */
export interface ChangedDefault {
  /** As the library calls it: `retryCount`. */
  option: string;
  /** The library's default. `null`: it has none, the option must be given. */
  libraryDefault: string | number | boolean | null;
  /** What the adapter passes: a value, or a word for one that depends on the hold, such as `the TTL`. */
  used: string | number | boolean;
  /** Why, in a few words, without a full stop at the end. */
  why: string;
}

/** The error of one node of a quorum lock, shown beside "no quorum". */
export interface NodeError {
  /** Index of the node, from 1. */
  node: number;
  error: unknown;
}

export type AcquireOutcome =
  | {
      outcome: "granted";
      /** Identifies this hold; release and extend must present it. */
      token: string;
      /** Grows with every grant of the key, if the lock mints such tokens. */
      fencingToken?: number;
      /** Until when the library claims that the lock is held: ms since the epoch, in the worker's own wall clock. */
      validUntil?: number;
    }
  /**
   * Not granted, as locks do. The reason `done` says more: the work behind this key was done already, so there is nothing
   * to wait for, and a delivery that asked for it may be acknowledged.
   */
  | { outcome: "refused"; reason?: string }
  /** An error came back: the lock is not held. */
  | { outcome: "failed"; error: unknown; nodeErrors?: readonly NodeError[] }
  /** No answer in time: the lock may have been taken. */
  | { outcome: "indeterminate"; error: unknown; nodeErrors?: readonly NodeError[] };

export type ExtendOutcome =
  | { outcome: "extended"; validUntil?: number }
  | { outcome: "not-owner" }
  | { outcome: "failed"; error: unknown }
  | { outcome: "unknown"; error: unknown };

export type ReleaseOutcome =
  | { outcome: "released" }
  | { outcome: "not-owner" }
  | { outcome: "failed"; error: unknown }
  | { outcome: "unknown"; error: unknown };

/** Called when a lock learns, while it is held, that it is held no longer. */
export type LostListener = (lost: { key: string; token: string; reason: string }) => void;

/** What a release is told besides the token. */
export interface ReleaseOptions {
  /** The job behind the hold ended well. A lock that keeps done marks needs to know; to the others it is all one. */
  done?: boolean;
}

/** A physical key of a lock, for the command trace and for clean-up. */
export interface PhysicalKey {
  /** Index of the node, from 1. */
  node: number;
  db: number;
  key: string;
  /**
   * `lock`, the default: it is there while the lock is held, and its owner alone may delete or extend it. `counter`
   * (of fencing tokens) and `mark` (of work done) outlive the hold.
   */
  role?: "lock" | "counter" | "mark";
}

/** A lock under test. It makes its own clients and closes them. */
export interface Lock {
  readonly capabilities: LockCapabilities;
  /**
   * One attempt, without the library's retries unless the options ask for them.
   * @param ttlMs the lease, in ms
   * @param options.signal aborted when the worker gives up waiting
   */
  acquire(key: string, ttlMs: number, options: { signal: AbortSignal }): Promise<AcquireOutcome>;
  /** Renews a hold for another `ttlMs` from now. Present when renewal is `manual`. */
  extend?(key: string, token: string, ttlMs: number): Promise<ExtendOutcome>;
  release(key: string, token: string, options?: ReleaseOptions): Promise<ReleaseOutcome>;
  /** Registers the one listener for lost holds. Present when the lock can tell. */
  onLost?(listener: LostListener): void;
  /** The Redis keys behind a lock key. */
  redisKeys(key: string): readonly PhysicalKey[];
  /** Ends every connection and timer. */
  close(): Promise<void>;
}

export type CreateLock = (context: LockContext) => Lock | Promise<Lock>;

/** A lock module, built-in or a user's file: it exports `createLock`, by name or within its default export. */
export interface LockModule {
  createLock: CreateLock;
  /** What the lock can do, known without making one. */
  capabilities?: LockCapabilities;
  /** Packages that must be installed beside holdfast. They are loaded when a lock is made, not before. */
  packages?: readonly NeededPackage[];
  /** For an adapter of a library: what it does not leave at the library's defaults. Reports say so. */
  changedDefaults?: readonly ChangedDefault[];
}

/** Types a user's module: `export default defineLock({ capabilities, createLock })`. */
export function defineLock(module: LockModule): LockModule {
  return module;
}
