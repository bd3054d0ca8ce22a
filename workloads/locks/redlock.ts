import { performance } from "node:perf_hooks";
import { z } from "zod";
import type {
  AcquireOutcome,
  LockCapabilities,
  LockContext,
  LockModule,
  NodeError,
} from "../../harness/contracts/lock-adapter.ts";
import { milliseconds, readOptions } from "./options.ts";
import { gatherVotes, majorityOf, outcomeOf, type Vote } from "./quorum.ts";
import { connectRedlockNode, type RedlockNode } from "./redlock-node.ts";
import { newToken } from "./token.ts";
import { validityMs } from "./validity.ts";

const capabilities: LockCapabilities = { renewal: "manual", fencing: "none", nodes: 5, client: "ioredis 6" };

const optionShape = {
  /** Time limit for one command on one node, ms. */
  nodeTimeoutMs: milliseconds.optional(),
  /** Attempts after the first. */
  retries: z.coerce.number().int().nonnegative().optional(),
  /** Longest pause before another attempt; the pause is random, so that clients that split a vote part, ms. */
  retryDelayMs: milliseconds.optional(),
};

/** A node gets a twentieth of the TTL to answer, within these bounds, so that a mute one cannot eat up the lease. */
const NODE_TIMEOUT = { share: 1 / 20, leastMs: 5, mostMs: 50 };

const redlock: LockModule = { capabilities, createLock: (context) => createRedlock(context) };
export default redlock;

/**
 * The Redlock algorithm on independent nodes: the key on a majority of them, within a validity of TTL - elapsed - drift
 * allowance; when that fails, all nodes are unlocked, those too that said nothing. Time is measured on the monotonic
 * clock; only `validUntil` is told in the wall clock.
 * Source: redis.io, "Distributed Locks with Redis".
 */
async function createRedlock(context: LockContext) {
  const options = readOptions("redlock", optionShape, context.options);
  const { retries = 0, retryDelayMs = 200 } = options;
  const nowMs = context.monotonicMs ?? (() => performance.now());
  if (context.nodes.length === 0) throw new Error("redlock needs at least one node, and was given none");
  const nodes = await Promise.all(context.nodes.map((node, index) => connectRedlockNode(node, index + 1)));
  const physical = (key: string) => `${context.keyPrefix}lock:${key}`;

  function limitMs(ttlMs: number): number {
    const { share, leastMs, mostMs } = NODE_TIMEOUT;
    const ours = options.nodeTimeoutMs ?? Math.min(mostMs, Math.max(leastMs, Math.round(ttlMs * share)));
    return Math.min(ours, context.commandTimeoutMs ?? ours);
  }

  const ask = (question: (node: RedlockNode) => Promise<Vote>) => gatherVotes(nodes.map(question));

  async function attempt(key: string, ttlMs: number): Promise<AcquireOutcome> {
    const token = newToken();
    const askedAtMs = nowMs();
    const votes = await ask((node) => node.set(physical(key), token, ttlMs, limitMs(ttlMs)));
    const outcome = outcomeOf(votes);
    const leftMs = validityMs(ttlMs, nowMs() - askedAtMs);
    if (outcome === "yes" && leftMs > 0) {
      return { outcome: "granted", token, validUntil: Math.floor(context.clock.now() + leftMs) };
    }
    // All nodes: one that said nothing may have set the key, or may yet do so; the release follows it on its connection.
    await Promise.all(nodes.map((node) => node.release(physical(key), token, limitMs(ttlMs))));
    if (outcome === "yes") {
      const error = new Error(`a majority agreed, but ${Math.ceil(-leftMs)} ms too late for a TTL of ${ttlMs} ms`);
      return { outcome: "failed", error, nodeErrors: errorsOf(votes) };
    }
    return notGranted(outcome, votes);
  }

  return {
    capabilities,
    async acquire(key: string, ttlMs: number, { signal }: { signal: AbortSignal }): Promise<AcquireOutcome> {
      for (let left = retries; ; left -= 1) {
        const outcome = await attempt(key, ttlMs);
        if (outcome.outcome === "granted" || left === 0 || signal.aborted) return outcome;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * retryDelayMs));
      }
    },
    async extend(key: string, token: string, ttlMs: number) {
      const askedAtMs = nowMs();
      const votes = await ask((node) => node.extend(physical(key), token, ttlMs, limitMs(ttlMs)));
      const leftMs = validityMs(ttlMs, nowMs() - askedAtMs);
      if (outcomeOf(votes) === "yes" && leftMs > 0) {
        return { outcome: "extended" as const, validUntil: Math.floor(context.clock.now() + leftMs) };
      }
      if (isDenied(votes)) return { outcome: "not-owner" as const };
      return { outcome: "unknown" as const, error: undecided("no majority extended in time", votes) };
    },
    async release(key: string, token: string) {
      const votes = await ask((node) => node.release(physical(key), token, limitMs(Number.POSITIVE_INFINITY)));
      if (outcomeOf(votes) === "yes") return { outcome: "released" as const };
      if (isDenied(votes)) return { outcome: "not-owner" as const };
      return { outcome: "unknown" as const, error: undecided("no majority released", votes) };
    },
    redisKeys: (key: string) => nodes.map(({ node, db }) => ({ node, db, key: physical(key) })),
    async close() {
      for (const node of nodes) node.close();
    },
  };
}

function notGranted(outcome: "no" | "open", votes: readonly Vote[]): AcquireOutcome {
  const nodeErrors = errorsOf(votes);
  if (outcome === "open") {
    return { outcome: "indeterminate", error: new Error("too few nodes answered in time"), nodeErrors };
  }
  const refusals = votes.filter(({ vote }) => vote === "no").length;
  if (refusals > 0) return { outcome: "refused" };
  return { outcome: "failed", error: new Error("no majority of the nodes could grant"), nodeErrors };
}

/** Did a majority say that the key is not the caller's? */
function isDenied(votes: readonly Vote[]): boolean {
  return votes.filter(({ vote }) => vote === "no").length >= majorityOf(votes.length);
}

function undecided(what: string, votes: readonly Vote[]): Error {
  const errors = errorsOf(votes).map(({ node, error }) => `node:${node}: ${(error as Error).message}`);
  return new Error([what, ...errors].join("; "));
}

function errorsOf(votes: readonly Vote[]): NodeError[] {
  return votes.flatMap((vote) => ("error" in vote ? [{ node: vote.node, error: vote.error }] : []));
}
