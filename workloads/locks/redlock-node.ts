import type { LockNode } from "../../harness/contracts/lock-adapter.ts";
import { connectNode } from "./ioredis-client.ts";
import { isServerRefusal } from "./outcomes.ts";
import type { Vote } from "./quorum.ts";
import { EXTEND_IF_OWNER, RELEASE_IF_OWNER } from "./scripts.ts";
import type { WithScripts } from "./single-node.ts";

/** One of Redlock's independent nodes: every question is answered within its limit, if only by `silent`. */
export interface RedlockNode {
  /** From 1. */
  node: number;
  db: number;
  set(key: string, token: string, ttlMs: number, limitMs: number): Promise<Vote>;
  extend(key: string, token: string, ttlMs: number, limitMs: number): Promise<Vote>;
  release(key: string, token: string, limitMs: number): Promise<Vote>;
  close(): void;
}

/** How long the start waits for a node to be there; one that is not is left out until it comes back, ms. */
const CONNECT_LIMIT_MS = 2_000;

const LONGEST_RECONNECT_PAUSE_MS = 1_000;

/**
 * Connects without ioredis's patience: a command for a node that is away fails at once, and none is sent again after a
 * reconnect, since a key that is set long after the vote would only be in the way.
 */
export async function connectRedlockNode(node: LockNode, index: number): Promise<RedlockNode> {
  const client = connectNode(
    node,
    {},
    {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(50 * times, LONGEST_RECONNECT_PAUSE_MS),
      scripts: {
        extendIfOwner: { lua: EXTEND_IF_OWNER, numberOfKeys: 1 },
        releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
      },
    },
  ) as WithScripts<"extendIfOwner" | "releaseIfOwner">;
  await within(CONNECT_LIMIT_MS, client.connect()).catch(() => {});

  async function vote(limitMs: number, question: () => Promise<unknown>, yes: unknown): Promise<Vote> {
    if (client.status !== "ready") {
      return { node: index, vote: "error", error: new Error(`not connected (${client.status})`) };
    }
    try {
      return { node: index, vote: (await within(limitMs, question())) === yes ? "yes" : "no" };
    } catch (error) {
      return { node: index, vote: isServerRefusal(error) ? "error" : "silent", error };
    }
  }

  return {
    node: index,
    db: node.db,
    set: (key, token, ttlMs, limitMs) => vote(limitMs, () => client.set(key, token, "PX", ttlMs, "NX"), "OK"),
    extend: (key, token, ttlMs, limitMs) => vote(limitMs, () => client.extendIfOwner(key, token, ttlMs), 1),
    release: (key, token, limitMs) => vote(limitMs, () => client.releaseIfOwner(key, token), 1),
    close: () => client.disconnect(),
  };
}

function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
