import type { PlannedFault } from "../../contracts/fault.ts";
import type { RedisServer } from "../../redis/server.ts";
import { type FaultField, targetsIn } from "../fault.ts";

/**
 * The servers that a fault is aimed at.
 * @throws Error when one of them is not the run's own
 */
export function serversIn({ nodes }: FaultField, fault: PlannedFault): RedisServer[] {
  return targetsIn(nodes, fault).map(({ name, server }) => {
    if (!server) throw new Error(`${name} is not a server of this run: ${fault.name} would harm others`);
    return server;
  });
}
