import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Blocks a worker's event loop, as a long computation does. Not the same as a stop: the kernel still takes its data in. */
export const workerBlock: FaultDefinition = {
  name: "worker-block",
  group: "worker",
  summary: "The worker's event loop is busy: its timers are late, while its sockets still take data in",
  parameters: {},
  targets: ["worker"],
  lasts: true,
  look: { colour: "worker", pattern: "cross" },
  async inject({ workers }, fault) {
    const blocked = targetsIn(workers, fault);
    const { forMs } = fault;
    if (forMs === undefined) throw new Error("worker-block needs a duration: for=2s");
    const injectedAtNs = nowNs();
    await Promise.all(blocked.map((worker) => worker.block(forMs)));
    return {
      injectedAtNs,
      async heal() {
        // Over by itself; the worker answers again when it is.
        await Promise.all(blocked.map((worker) => worker.resume()));
        return nowNs();
      },
    };
  },
};
