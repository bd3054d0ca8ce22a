import type { FaultDefinition } from "./fault.ts";
import { networkFaults } from "./proxy/network/registry.ts";
import { redisPause } from "./redis/redis-pause.ts";
import { workerBlock } from "./worker/worker-block.ts";
import { workerClock } from "./worker/worker-clock.ts";
import { workerKill } from "./worker/worker-kill.ts";
import { workerSlow } from "./worker/worker-slow.ts";
import { workerStop } from "./worker/worker-stop.ts";
import { workerTerminate } from "./worker/worker-terminate.ts";

/** Every fault, in the order in which it is listed: network, Redis, workers. */
export const faultRegistry: readonly FaultDefinition[] = [
  ...networkFaults,
  redisPause,
  workerStop,
  workerBlock,
  workerKill,
  workerTerminate,
  workerClock,
  workerSlow,
];

/** The fault with this name or alias. */
export function faultNamed(name: string): FaultDefinition | undefined {
  return faultRegistry.find((fault) => fault.name === name || fault.aliases?.includes(name));
}
