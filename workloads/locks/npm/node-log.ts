import { AsyncLocalStorage } from "node:async_hooks";
import type { NodeError } from "../../../harness/contracts/lock-adapter.ts";

/** One call that a library made to one of its nodes, and what came of it. */
export interface NodeCall {
  /** From 1. */
  node: number;
  method: string;
  args: readonly unknown[];
  result: { reply: unknown } | { error: unknown };
}

/** What a library's nodes said during one operation. */
export interface NodeTape {
  calls: NodeCall[];
  /** The first error of each node, in the order of the nodes. */
  errors(): NodeError[];
  /** Runs the operation; what its nodes answer, however late, is noted on this tape. */
  record<Value>(operation: () => Promise<Value>): Promise<Value>;
}

export interface NodeLog {
  /** Notes every call of an asynchronous method of a node's client. The call itself is left as it is. */
  watch(node: number, client: object, method: string): void;
  tape(): NodeTape;
}

/**
 * Sees what each node of a library answered. Many libraries swallow it: they say "no quorum" and not why, or do not tell
 * whether a release freed anything. An operation's calls are told from those of others by its asynchronous context.
 */
export function createNodeLog(): NodeLog {
  const current = new AsyncLocalStorage<NodeCall[]>();
  return {
    watch(node, client, method) {
      const methods = client as Record<string, (...args: unknown[]) => unknown>;
      const original = methods[method];
      if (!original) throw new Error(`the client has no method ${method}`);
      methods[method] = function watched(this: unknown, ...args: unknown[]) {
        const answer = original.apply(this, args);
        const calls = current.getStore();
        if (calls) {
          Promise.resolve(answer).then(
            (reply) => calls.push({ node, method, args, result: { reply } }),
            (error: unknown) => calls.push({ node, method, args, result: { error } }),
          );
        }
        return answer;
      };
    },
    tape() {
      const calls: NodeCall[] = [];
      return {
        calls,
        errors: () => firstErrors(calls),
        record: (operation) => current.run(calls, operation),
      };
    },
  };
}

/** A script that the server does not know yet is no error: libraries send it in full then. */
const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith("NOSCRIPT");

function firstErrors(calls: readonly NodeCall[]): NodeError[] {
  const errors = new Map<number, unknown>();
  for (const { node, result } of calls) {
    if ("error" in result && !isUnknownScript(result.error) && !errors.has(node)) errors.set(node, result.error);
  }
  return [...errors].map(([node, error]) => ({ node, error })).sort((a, b) => a.node - b.node);
}
