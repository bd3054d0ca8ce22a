import { type FaultDefinition, nowNs } from "../fault.ts";
import { serversIn } from "./servers-in.ts";

/**
 * A failover that loses writes: the replication link is cut while it seems alive, the primary is killed a moment later,
 * and the replica, which never saw the last writes, is promoted. Stopping the replica would not do: the write would
 * wait in its socket.
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
    const { network, nodes } = field;
    if (!network) throw new Error("redis-failover cuts the replication link, which takes the fault proxy");
    const replica = nodes.find(({ name, server }) => server && name !== primary?.name);
    if (!primary || !replica) throw new Error("redis-failover takes a primary and a replica: --topology replicated");
    const injectedAtNs = nowNs();
    const cut = `${fault.id}-cut`;
    await network.setFault(cut, {
      name: "black-hole",
      targets: [],
      parameters: { a: replica.name, b: primary.name },
    });
    await new Promise((resolve) => setTimeout(resolve, Number(fault.parameters.lag ?? 500)));
    await primary.kill();
    await replica.admin.call("REPLICAOF", "NO", "ONE");
    return {
      injectedAtNs,
      async heal() {
        await network.clearFault(cut);
        return nowNs();
      },
    };
  },
};
