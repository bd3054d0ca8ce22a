import { execa } from "execa";
import { builtFile } from "../../../harness/package-root.ts";
import type { ConvergeResult } from "../../../harness/results/converge-schema.ts";
import { crdtRegistry } from "../../../workloads/crdts/registry.ts";
import { bundleProgram } from "../bundle.ts";
import { type Benchmark, median } from "../figure.ts";
import type { Shrunk } from "./shrink-program.ts";

const ROUNDS = 4;
const SECONDS = 7;
/** In the first slices of a second the compiler works beside the threads, on the core that one thread leaves idle. */
const WARM_UP_SLICES = 2;

export const convergeThreads: Benchmark = {
  name: "converge: threads",
  method: `\`harness converge --time ${SECONDS}s\` with one thread, with two, and twice at once with one each, ${ROUNDS} times in turns, without the first ${WARM_UP_SLICES} s of each; and a pure computation in one process and in two at once, for what the machine gives: medians of the ratios to one`,
  async run() {
    const rounds: Record<"threads" | "processes" | "machine", number>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pure = await computation();
      const machine = sum(await Promise.all([computation(), computation()])) / pure;
      const one = await campaign("1");
      const threads = (await campaign("2")) / one;
      const processes = sum(await Promise.all([campaign("1"), campaign("1")])) / one;
      rounds.push({ threads, processes, machine });
    }
    const of = (what: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[what]));
    const ratios = rounds.map(({ threads }) => threads);
    return [
      {
        name: "two threads against one",
        measured: `${of("threads").toFixed(2)} x (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
        peer: `two processes ${of("processes").toFixed(2)} x, a pure computation ${of("machine").toFixed(2)} x`,
        value: of("threads"),
        unit: "x",
        goal: { atLeast: 1.8 },
      },
    ];
  },
};

/** Schedules a second, once warm. */
async function campaign(threads: string): Promise<number> {
  const { crdts } = await harness("--time", `${SECONDS}s`, "--seed", "1", "--ops", "20", "--threads", threads);
  const warm = crdts[0]!.speeds!.slice(WARM_UP_SLICES);
  return sum(warm) / warm.length;
}

/** How far a loop over integers comes in a second. */
async function computation(): Promise<number> {
  const loop =
    "let n = 0, x = 1; for (const end = performance.now() + 1000; performance.now() < end; n++) for (let i = 0; i < 1e5; i++) x = Math.imul(x ^ i, 16777619); console.log(n, x)";
  const { stdout } = await execa(process.execPath, ["-e", loop]);
  return Number(stdout.split(" ")[0]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

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
