import { type FaultDefinition, targetsIn } from "../fault.ts";
import { earliest } from "./earliest.ts";

/** Kills a worker. What it held stays held until the TTL; what it was doing nobody finishes but a redelivery. */
export const workerKill: FaultDefinition = {
  name: "worker-kill",
  group: "worker",
  summary: "The worker process is killed (SIGKILL); a new one takes its place",
  parameters: {},
  targets: ["worker"],
  lasts: false,
  kills: true,
  look: { colour: "worker", pattern: "solid" },
  async inject({ workers }, fault) {
    return { injectedAtNs: earliest(await Promise.all(targetsIn(workers, fault).map((worker) => worker.kill()))) };
  },
};
