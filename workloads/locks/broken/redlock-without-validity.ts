import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { gatherVotes, majorityOf, outcomeOf, type Vote } from "../quorum.ts";
import { connectRedlockNode, type RedlockNode } from "../redlock-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "none", nodes: 5, client: "ioredis 6" };

/** Longer than any lease: it waits for whoever may still answer. */
const DEFAULT_LIMIT_MS = 60_000;

/** Broken on purpose: counts the majority, and does not look at how long it took to come together. */
const redlockWithoutValidity: LockModule = {
  capabilities,
  async createLock(context) {
    const limitMs = context.commandTimeoutMs ?? DEFAULT_LIMIT_MS;
    const nodes = await Promise.all(context.nodes.map((node, index) => connectRedlockNode(node, index + 1)));
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    const ask = (question: (node: RedlockNode) => Promise<Vote>) => gatherVotes(nodes.map(question));
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        const votes = await ask((node) => node.set(physical(key), token, ttlMs, limitMs));
        const outcome = outcomeOf(votes);
        if (outcome === "yes") return { outcome: "granted", token };
        await Promise.all(nodes.map((node) => node.release(physical(key), token, limitMs)));
        if (outcome === "no") return { outcome: "refused" };
        const nodeErrors = votes.flatMap((vote) => ("error" in vote ? [{ node: vote.node, error: vote.error }] : []));
        return { outcome: "indeterminate", error: new Error("too few nodes answered"), nodeErrors };
      },
      async release(key, token) {
        const votes = await ask((node) => node.release(physical(key), token, limitMs));
        if (outcomeOf(votes) === "yes") return { outcome: "released" };
        const denied = votes.filter(({ vote }) => vote === "no").length >= majorityOf(votes.length);
        return denied ? { outcome: "not-owner" } : { outcome: "unknown", error: new Error("no majority released") };
      },
      redisKeys: (key) => nodes.map(({ node, db }) => ({ node, db, key: physical(key) })),
      async close() {
        for (const node of nodes) node.close();
      },
    };
  },
};

export default redlockWithoutValidity;
