import type { Redis } from "ioredis";
import type { LockContext, LockNode } from "../../harness/contracts/lock-adapter.ts";
import { connectNode } from "./ioredis-client.ts";

/** A script with one key or more, and the signature under which the client then has it. */
export type Scripts = Readonly<Record<string, { lua: string; numberOfKeys: number }>>;

/** Methods that ioredis adds to a client for its scripts: keys first, then arguments. */
export type WithScripts<Names extends string> = Redis &
  Record<Names, (...args: (string | number)[]) => Promise<unknown>>;

/**
 * The one node of a lock that works with a single Redis server.
 * @throws Error when the context names none
 */
export function onlyNode({ nodes }: Pick<LockContext, "nodes">, lock: string): LockNode {
  const [node] = nodes;
  if (!node) throw new Error(`${lock} needs one node, and was given none`);
  return node;
}

/** Connects a lock of a single server, with the scripts that it calls by name. */
export function connectSingle<Names extends string>(
  context: LockContext,
  lock: string,
  scripts: Record<Names, { lua: string; numberOfKeys: number }>,
): { client: WithScripts<Names>; db: number } {
  const node = onlyNode(context, lock);
  const client = connectNode(node, context, { scripts }) as WithScripts<Names>;
  return { client, db: node.db };
}
