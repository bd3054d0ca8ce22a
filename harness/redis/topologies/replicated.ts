import { arrangeReplication, untilInStep } from "../replication.ts";
import { firstUnplannedExit, revive, type StartTopology, serversOf, startNodes, stopAll } from "./topology.ts";

/** A primary, `node:1`, and one replica unless another number of nodes is asked for. Nobody fails over by itself. */
export const startReplicated: StartTopology = async (context) => {
  const nodes = await startNodes(context, context.nodes ?? 2);
  const servers = serversOf(nodes);
  const [primary, ...replicas] = nodes;
  if (!primary?.server) throw new Error("A replicated topology needs at least one node.");
  const { server } = primary;
  try {
    await arrangeReplication(primary, replicas);
  } catch (error) {
    await stopAll(servers);
    throw error;
  }
  return {
    nodes,
    clientNodes: [primary],
    async reset() {
      await Promise.all(servers.map(revive));
      await arrangeReplication(primary, replicas);
      await server.flush();
      await untilInStep(primary, replicas);
    },
    unplannedExit: firstUnplannedExit(servers),
    stop: () => stopAll(servers),
  };
};
