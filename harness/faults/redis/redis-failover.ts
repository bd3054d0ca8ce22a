import { setTimeout as sleep } from "node:timers/promises";
import { type FaultDefinition, type FaultField, nowNs } from "../fault.ts";
import { serversIn } from "./servers-in.ts";

/**
 * A failover that loses writes: the replication link is cut while it seems alive, the primary is killed a moment later,
 * and a replica, which never saw the last writes, is promoted: by the sentinels, where there are some; otherwise at once,
 * and clients that connect anew are led to it. Stopping the replica would not do: the write would wait in its socket.
 */
export const redisFailover: FaultDefinition = {
  name: "redis-failover",
  aliases: ["failover"],
  group: "redis",
  summary: "The primary dies after writes that its replica never got, and the replica is promoted",
  parameters: {
    lag: {
      type: "duration",
      summary: "Time between the cut of the replication link and the death of the primary",
      default: "500ms",
      min: 0,
    },
  },
  targets: ["node"],
  defaultTarget: "node:1",
  topologies: ["replicated", "sentinel"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "solid" },
  async inject(field, fault) {
    const [primary] = serversIn(field, fault);
    const { network, nodes, topology } = field;
    if (!network) throw new Error("redis-failover cuts the replication link, which takes the fault proxy");
    const replicas = nodes.filter(({ name, server }) => server && name !== primary?.name);
    const [successor] = replicas;
    if (!primary || !successor) throw new Error("redis-failover takes a primary and a replica: --topology replicated");
    const sentinels = topology.sentinelGroup;
    await refuseReplica(field, primary.name);
    const injectedAtNs = nowNs();
    const cut = `${fault.id}-cut`;
    await network.setFault(cut, {
      name: "black-hole",
      targets: [],
      parameters: { a: replicas.map(({ name }) => name).join("+"), b: primary.name },
    });
    await sleep(Number(fault.parameters.lag ?? 500));
    await primary.kill();
    if (!sentinels) {
      await successor.admin.call("REPLICAOF", "NO", "ONE");
      await network.redirect?.(primary.name, successor.name);
    }
    return {
      injectedAtNs,
      async heal() {
        await network.clearFault(cut);
        return nowNs();
      },
    };
  },
};

/** Under sentinels the primary changes: what is no primary any more cannot fail over. */
async function refuseReplica({ nodes, topology }: FaultField, name: string): Promise<void> {
  const index = await topology.sentinelGroup?.primary();
  const now = index === undefined ? name : nodes[index]?.name;
  if (now !== name) throw new Error(`${name} is not the primary any more; ${now} is`);
}
