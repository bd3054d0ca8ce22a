import {
  firstUnplannedExit,
  type RunningTopology,
  revive,
  serversOf,
  startNodes,
  stopAll,
  type TopologyContext,
} from "./topology.ts";

/** Servers that know nothing of each other. */
export async function startIndependent(context: TopologyContext, count: number): Promise<RunningTopology> {
  const nodes = await startNodes(context, count);
  const servers = serversOf(nodes);
  return {
    nodes,
    clientNodes: nodes,
    async reset() {
      await Promise.all(
        servers.map(async (server) => {
          await revive(server);
          await server.flush();
        }),
      );
    },
    unplannedExit: firstUnplannedExit(servers),
    stop: () => stopAll(servers),
  };
}
