import type { RedisNodeHandle } from "../../redis/node-handle.ts";
import type { Journal } from "../journal.ts";
import type { KeyTemplate } from "./key-templates.ts";
import { type NodeTrace, traceNode } from "./node-trace.ts";

/** The command trace of one round of an arm: what every lock node is seen to do, past the proxy. */
export interface TraceRecorder {
  /** Waits until what happened before now was seen, at the longest so many ms; then ends. */
  stop(limitMs: number): Promise<void>;
}

export interface TraceOptions {
  /** The lock's nodes, in the order `node:1`, `node:2`, ... */
  nodes: readonly RedisNodeHandle[];
  /** How the lock spells its keys. Empty: it is watched all the same, so that every arm pays the same for it. */
  templates: readonly KeyTemplate[];
  journal: Journal;
  /** CLOCK_MONOTONIC at the start of the run, ns. */
  startNs: bigint;
}

/**
 * Watches every node and writes `trace` events.
 * @throws Error when a node does not allow it
 */
export async function startTrace({ nodes, templates, journal, startNs }: TraceOptions): Promise<TraceRecorder> {
  let lastNs = 0;
  const started = await Promise.allSettled(
    nodes.map((handle, index) =>
      traceNode({
        ...{ handle, templates, node: index + 1 },
        record(atNs, { detail, ...entry }) {
          // No two at the same time: their order is the server's, and stays so in every sorting.
          lastNs = Math.max(lastNs + 1, Number(atNs - startNs));
          journal.record({ op: "trace", phase: "info", atNs: lastNs, ...entry, detail: { ...detail } });
        },
      }),
    ),
  );
  const traces = started.flatMap((each): NodeTrace[] => (each.status === "fulfilled" ? [each.value] : []));
  const stop = async (limitMs: number) => {
    await Promise.all(traces.map((trace) => trace.stop(limitMs)));
  };
  const refused = started.find((each) => each.status === "rejected");
  if (refused) {
    await stop(0);
    throw refused.reason;
  }
  return { stop };
}
