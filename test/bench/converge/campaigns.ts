import { execa } from "execa";
import { builtFile } from "../../../harness/package-root.ts";
import type { ConvergeResult } from "../../../harness/results/converge-schema.ts";
import { crdtRegistry } from "../../../workloads/crdts/registry.ts";
import { bundleProgram } from "../bundle.ts";
import { type Benchmark, median } from "../figure.ts";
import type { Shrunk } from "./shrink-program.ts";

const PAIRS = 5;
const SECONDS = 5;

export const convergeThreads: Benchmark = {
  name: "converge: threads",
  method: `\`harness converge --time ${SECONDS}s\` with one thread and with two, ${PAIRS} pairs in turns: median of the ratios of the schedules that ran`,
  async run() {
    const ratios: number[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const [one, two] = [await campaign("1"), await campaign("2")];
      ratios.push(two / one);
    }
    const ratio = median(ratios);
    const measured = `${ratio.toFixed(2)} x (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
    return [{ name: "two threads against one", measured, value: ratio, unit: "x", goal: { atLeast: 1.8 } }];
  },
};

async function campaign(threads: string): Promise<number> {
  const { crdts } = await harness("--time", `${SECONDS}s`, "--seed", "1", "--ops", "20", "--threads", threads);
  return crdts[0]!.schedules;
}

export const convergeZoo: Benchmark = {
  name: "converge: zoo",
  method: "`harness converge --zoo` on two threads, three times, the clock's time of each; medians",
  async run() {
    const runs: ConvergeResult[] = [];
    for (const seed of ["1", "2", "3"]) runs.push(await harness("--zoo", "--threads", "2", "--seed", seed));
    const seconds = median(runs.map(({ durationMs }) => durationMs / 1_000));
    const killed = Math.min(...runs.map(({ crdts }) => crdts.filter(({ mutant }) => mutant?.killed).length));
    const all = runs[0]!.crdts.length;
    return [
      {
        name: `zoo of ${all}, two cores`,
        measured: `${seconds.toFixed(1)} s, ${killed} killed`,
        value: seconds,
        unit: "s",
        goal: { atMost: 10 },
      },
      { name: "zoo, killed", measured: `${killed} of ${all}`, value: killed, unit: "mutants", goal: { atLeast: all } },
    ];
  },
};

export const convergeExhaustive: Benchmark = {
  name: "converge: exhaustive",
  method: "`harness converge --exhaustive --depth 5` of the document in three regions, standard alphabet, two threads",
  async run() {
    const { crdts } = await harness("--exhaustive", "--depth", "5", "--threads", "2");
    const [crdt] = crdts;
    const seconds = crdt!.elapsedMs / 1_000;
    const schedules = crdt!.schedules.toLocaleString("en");
    return [
      {
        name: "exhaustive, depth 5",
        measured: `${seconds.toFixed(1)} s, ${schedules} schedules, exhausted: ${crdt!.exhaustive!.exhausted}`,
        value: seconds,
        unit: "s",
        goal: { atMost: 60 },
      },
    ];
  },
};

export const convergeShrink: Benchmark = {
  name: "converge: shrinking",
  method:
    "the first counterexample of 60 events in every broken type that builds on a shipped one, shrunk with the deep oracles; processor time",
  async run() {
    const program = await bundleProgram("test/bench/converge/shrink-program.ts");
    const refs = crdtRegistry
      .filter(({ family }) => family === "broken")
      .map(({ name, module }) => ({ name, path: builtFile(`workloads/${module}.js`) }));
    const { stdout } = await execa(process.execPath, [program, JSON.stringify(refs)]);
    const shrunk = JSON.parse(stdout) as Shrunk[];
    const slowest = shrunk.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]!;
    const middle = median(shrunk.map(({ cpuMs }) => cpuMs));
    return [
      {
        name: "shrinking 60 events, median",
        measured: `${middle.toFixed(0)} ms of ${shrunk.length}`,
        value: middle,
        unit: "ms",
        goal: { atMost: 300 },
      },
      {
        name: "shrinking 60 events, slowest",
        measured: `${slowest.cpuMs.toFixed(0)} ms (${slowest.name}, ${slowest.oracle})`,
        value: slowest.cpuMs,
        unit: "ms",
        goal: { atMost: 300 },
      },
    ];
  },
};

const MEMORY_SCHEDULES = 1_000_000;

export const convergeMemory: Benchmark = {
  name: "converge: memory",
  method: `heap after a forced collection, over ${MEMORY_SCHEDULES.toLocaleString("en")} schedules after a tenth of as many for warming up; the growth is what 10,000,000 would add at the same rate, by a straight line through all points`,
  async run() {
    const program = await bundleProgram("test/bench/converge/memory-program.ts");
    const { stdout } = await execa(process.execPath, ["--expose-gc", program, String(MEMORY_SCHEDULES)]);
    const heaps = JSON.parse(stdout) as number[];
    const grows = (slope(heaps) * 10 * 10_000_000) / MEMORY_SCHEDULES;
    const measured = `${heaps[0]!.toFixed(2)} MB to ${heaps.at(-1)!.toFixed(2)} MB`;
    return [{ name: "heap over 10,000,000", measured, value: grows, unit: "MB", goal: { atMost: 10 } }];
  },
};

/** Of the straight line that fits best, per step. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return rise / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}

async function harness(...args: string[]): Promise<ConvergeResult> {
  const out = ["--json", "--quiet", "--reporter", "html", "--out", "node_modules/.cache/holdfast-bench/results"];
  const { stdout } = await execa(process.execPath, [builtFile("harness/cli/bin.js"), "converge", ...args, ...out]);
  return JSON.parse(stdout) as ConvergeResult;
}
