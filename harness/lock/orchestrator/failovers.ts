import { setTimeout as sleep } from "node:timers/promises";
import type { RedisNodeHandle } from "../../redis/node-handle.ts";
import { roleOf } from "../../redis/replication.ts";
import type { RunningTopology } from "../../redis/topologies/topology.ts";
import type { Journal } from "../journal.ts";

const LOOK_EVERY_MS = 100;

/**
 * Writes down every failover of the sentinels: nobody's fault, in both senses, but the reason for much that follows. It
 * lasts for as long as the former primary lives and takes itself for one. Gives the function that ends the watch.
 */
export async function recordFailovers(
  { nodes, sentinelGroup }: Pick<RunningTopology, "nodes" | "sentinelGroup">,
  journal: Journal,
  startNs: bigint,
): Promise<() => void> {
  if (!sentinelGroup) return () => {};
  const ended = new AbortController();
  let count = 0;
  const unsubscribe = await sentinelGroup.onFailover(({ atNs, node, former }) => {
    count += 1;
    const detail = { id: `failover-${count}`, name: "failover", target: node, params: {}, plannedAtMs: null };
    const record = (action: "observed" | "heal", at: number) =>
      journal.record({
        ...{ op: "fault", phase: "info", outcome: action, atNs: at },
        detail: { ...detail, action, lasts: true },
      });
    record("observed", Number(atNs - startNs));
    const old = nodes.find(({ name }) => name === former);
    void untilDemoted(old, ended.signal).then(() => record("heal", journal.now()));
  });
  return () => {
    unsubscribe();
    ended.abort();
  };
}

async function untilDemoted(node: RedisNodeHandle | undefined, signal: AbortSignal): Promise<void> {
  while (node?.server?.alive && !signal.aborted) {
    const role = await roleOf(node.admin).catch(() => "gone");
    if (role !== "master") return;
    await sleep(LOOK_EVERY_MS);
  }
}
