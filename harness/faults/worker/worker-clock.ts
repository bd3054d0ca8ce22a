import { type ClockChange, type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Moves a worker's wall clock (`Date`, `performance.timeOrigin`). Its monotonic clock is never touched. */
export const workerClock: FaultDefinition = {
  name: "worker-clock",
  group: "worker",
  summary: "The worker's wall clock is off by an offset, steps, or runs fast or slow",
  parameters: {
    offset: { type: "signed-duration", summary: "Distance from true time while the fault lasts" },
    step: { type: "signed-duration", summary: "One step, added to the distance that is there" },
    speed: { type: "number", summary: "Seconds that pass per true second", min: 0, max: 1000 },
  },
  targets: ["worker"],
  lasts: true,
  look: { colour: "clock", pattern: "dots" },
  async inject({ workers }, fault) {
    const moved = targetsIn(workers, fault);
    const change = clockChange(fault.parameters);
    await Promise.all(moved.map((worker) => worker.setClock(change)));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        await Promise.all(moved.map((worker) => worker.setClock({ offsetMs: 0, speed: 1 })));
        return nowNs();
      },
    };
  },
};

function clockChange({ offset, step, speed }: Readonly<Record<string, number | string>>): ClockChange {
  return {
    ...(offset === undefined ? {} : { offsetMs: Number(offset) }),
    ...(step === undefined ? {} : { stepMs: Number(step) }),
    ...(speed === undefined ? {} : { speed: Number(speed) }),
  };
}
