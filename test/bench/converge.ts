/**
 * Schedules a second of the runner, as ratios to a bare hand-written loop in the same run. Small batches take turns, so that
 * what else the machine does falls on all alike; the median of 40 groups of batches counts, in processor time.
 *
 *     npx esbuild test/bench/converge.ts --bundle --packages=external --platform=node --format=esm --outfile=dist/bench/converge.js
 *     node dist/bench/converge.js [name of a replica module of workloads/crdts, default replicas/document] [seconds] [events]
 */
import type { CrdtAdapter, CrdtModule } from "../../harness/contracts/crdt-adapter.ts";
import { DEEP_EVERY } from "../../harness/converge/campaign/plan.ts";
import { HEAD } from "../../harness/converge/plan/event.ts";
import { Generator } from "../../harness/converge/plan/generate.ts";
import { POOLS } from "../../harness/converge/plan/pool.ts";
import { possibleKinds } from "../../harness/converge/run/possible-kinds.ts";
import { Runner } from "../../harness/converge/run/runner.ts";
import { builtFile } from "../../harness/package-root.ts";
import { BareLoop } from "./converge-bare.ts";

const [name = "replicas/document", seconds = "20", events = "20"] = process.argv.slice(2);
const REGIONS = 3;
const maxEvents = Number(events);

const module = (await import(builtFile(`workloads/crdts/${name}.js`))) as CrdtModule;
const adapter: CrdtAdapter = await module.createAdapter({});
const deepEvery = DEEP_EVERY[adapter.style];

const bare = new BareLoop(adapter, REGIONS);
const stepTier = new Runner(adapter, { regions: REGIONS, maxEvents, stepTierOnly: true });
const tiers = new Runner(adapter, { regions: REGIONS, maxEvents });
const generator = new Generator({
  seed: 1,
  minEvents: maxEvents,
  maxEvents,
  pools: POOLS,
  kinds: possibleKinds(tiers.world),
});

const contestants: Readonly<Record<string, (schedule: Int32Array) => unknown>> = {
  "bare loop": (schedule) => bare.run(schedule),
  "step tier": (schedule) => stepTier.run(schedule, false),
  "default tiers": (schedule) => tiers.run(schedule, schedule[HEAD.deep]! % deepEvery === 0),
};

const BATCH = 64;
const GROUPS = 40;
const names = Object.keys(contestants);
const speeds = new Map<string, number[]>(names.map((contestant) => [contestant, []]));
let index = 0;

group(Number(seconds) * 250);
for (let count = 0; count < GROUPS; count++) {
  for (const [contestant, speed] of group((Number(seconds) * 1_000) / GROUPS)) speeds.get(contestant)!.push(speed);
}

/** Lets the contestants take turns for a time. Gives the schedules per second of processor time of each. */
function group(durationMs: number): Map<string, number> {
  const spentUs = new Map<string, number>(names.map((contestant) => [contestant, 0]));
  const startMs = performance.now();
  let batches = 0;
  for (; performance.now() - startMs < durationMs; batches++) {
    const from = index;
    for (const contestant of names)
      spentUs.set(contestant, spentUs.get(contestant)! + batch(contestants[contestant]!, from));
    index += BATCH;
  }
  return new Map(names.map((contestant) => [contestant, ((batches * BATCH) / spentUs.get(contestant)!) * 1e6]));
}

function batch(run: (schedule: Int32Array) => unknown, from: number): number {
  const start = process.cpuUsage();
  for (let step = 0; step < BATCH; step++) run(generator.generate(from + step));
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const reference = speeds.get("bare loop")!;
console.log(`${adapter.name}, ${events} events, ${REGIONS} regions, ${seconds} s`);
for (const [contestant, values] of speeds) {
  const ratio = median(values.map((value, slice) => value / reference[slice]!));
  console.log(
    `${contestant.padEnd(14)} ${Math.round(median(values)).toString().padStart(7)} schedules/s  ${ratio.toFixed(2)} x bare`,
  );
}
