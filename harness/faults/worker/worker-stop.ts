import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Stops a worker process: the pause of a garbage collector, of a hypervisor, of a laptop's lid. */
export const workerStop: FaultDefinition = {
  name: "worker-stop",
  group: "worker",
  summary: "The worker process is stopped (SIGSTOP) and goes on later, as after a long pause of the machine",
  parameters: {},
  targets: ["worker"],
  lasts: true,
  look: { colour: "worker", pattern: "hatch" },
  async inject({ workers }, fault) {
    const stopped = targetsIn(workers, fault);
    await Promise.all(stopped.map((worker) => worker.stop()));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        const atNs = nowNs();
        await Promise.all(stopped.map((worker) => worker.resume()));
        return atNs;
      },
    };
  },
};
