// One contestant in a process of its own, so that none is compiled for the others' objects: runs batches of schedules as
// it is told, and answers with the processor time of each, in µs.
//   node contestant.mjs MODULE CONTESTANT EVENTS
import type { CrdtModule } from "../../../harness/contracts/crdt-adapter.ts";
import { DEEP_EVERY } from "../../../harness/converge/campaign/plan.ts";
import { HEAD } from "../../../harness/converge/plan/event.ts";
import { Generator } from "../../../harness/converge/plan/generate.ts";
import { POOLS } from "../../../harness/converge/plan/pool.ts";
import { possibleKinds } from "../../../harness/converge/run/possible-kinds.ts";
import { Runner } from "../../../harness/converge/run/runner.ts";
import { BareLoop } from "./bare-loop.ts";

export type Contestant = "bare loop" | "step tier" | "default tiers";

export interface Batch {
  first: number;
  count: number;
}

const REGIONS = 3;
const [modulePath = "", contestant = "default tiers", events = "20"] = process.argv.slice(2);
const maxEvents = Number(events);
const adapter = await ((await import(modulePath)) as CrdtModule).createAdapter({});
const runner = new Runner(adapter, { regions: REGIONS, maxEvents, stepTierOnly: contestant === "step tier" });
const deepEvery = DEEP_EVERY[adapter.style];
const kinds = possibleKinds(runner.world);
const generator = new Generator({ seed: 1, minEvents: maxEvents, maxEvents, pools: POOLS, kinds });
const run = chooseRun();

process.on("message", ({ first, count }: Batch) => {
  const start = process.cpuUsage();
  for (let index = first; index < first + count; index++) run(generator.generate(index));
  const { user, system } = process.cpuUsage(start);
  process.send!(user + system);
});
process.send!("ready");

function chooseRun(): (schedule: Int32Array) => void {
  if (contestant === "bare loop") {
    const bare = new BareLoop(adapter, REGIONS);
    return (schedule) => bare.run(schedule);
  }
  return (schedule) => {
    const deep = contestant === "default tiers" && schedule[HEAD.deep]! % deepEvery === 0;
    const failure = runner.run(schedule, deep);
    if (failure !== undefined) throw new Error(`${failure.oracle} in a benchmark: ${failure.actual}`);
  };
}
