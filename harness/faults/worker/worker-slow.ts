import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Makes a worker compete for the processor with threads that only compute. */
export const workerSlow: FaultDefinition = {
  name: "worker-slow",
  aliases: ["slow"],
  group: "worker",
  summary: "The worker competes for the processor with threads that do nothing but compute",
  parameters: {
    threads: { type: "integer", summary: "How many such threads", default: "2", min: 1, max: 64 },
  },
  targets: ["worker"],
  lasts: true,
  look: { colour: "worker", pattern: "dots" },
  async inject({ workers }, fault) {
    const burdened = targetsIn(workers, fault);
    const threads = Number(fault.parameters.threads);
    await Promise.all(burdened.map((worker) => worker.setBurden(threads)));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        await Promise.all(burdened.map((worker) => worker.setBurden(0)));
        return nowNs();
      },
    };
  },
};
