import { type FaultDefinition, targetsIn } from "../fault.ts";
import { earliest } from "./earliest.ts";

/** Ends a worker as a deployment does: SIGTERM, time to finish, SIGKILL for those that did not. */
export const workerTerminate: FaultDefinition = {
  name: "worker-terminate",
  group: "worker",
  summary: "The worker is told to end (SIGTERM), killed after a grace period, and replaced, as in a rolling deployment",
  parameters: {
    grace: { type: "duration", summary: "Time to end its running jobs before it is killed", default: "5s", min: 0 },
  },
  targets: ["worker"],
  lasts: false,
  kills: true,
  look: { colour: "worker", pattern: "dots" },
  async inject({ workers }, fault) {
    const graceMs = Number(fault.parameters.grace);
    const terminated = targetsIn(workers, fault).map((worker) => worker.terminate(graceMs));
    return { injectedAtNs: earliest(await Promise.all(terminated)) };
  },
};
