import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { execa } from "execa";
import { chromiumPath, launchBrowser } from "../e2e/browser.ts";
import { type Benchmark, type Figure, median } from "./figure.ts";
import { syntheticHistory, syntheticPlan } from "./synthetic-history.ts";

const EVENTS = 1_000_000;
const RUNS = 3;
const OPENINGS = 5;

interface Measured {
  events: number;
  status: string;
  read: Times;
  check: Times;
  assemble: Times;
  report: Times;
  reportBytes: number;
  peakMegabytes: number;
}

interface Times {
  wallMs: number;
  cpuMs: number;
}

/** A history of a million events: read and validated, checked, made into a result and a report, each run in a process of its own. */
export const checks: Benchmark = {
  name: "checks",
  method: `a history of ${EVENTS.toLocaleString("en")} events of 70,000 jobs in 10 arm-rounds, ${RUNS} runs, medians; processor time, which other work on the machine lengthens less than the clock's`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "holdfast-bench-"));
    try {
      await writeHistory(join(folder, "history.ndjson"));
      // Inside the checkout, where the program finds its packages.
      const program = join(process.cwd(), "node_modules/.cache/holdfast-bench/check-stored-history.mjs");
      await bundle("test/bench/programs/check-stored-history.ts", program);
      const runs: Measured[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const { stdout } = await execa(process.execPath, [program, folder]);
        runs.push(JSON.parse(stdout) as Measured);
      }
      return [...figuresOf(runs), ...(await openingOf(join(folder, "report.html")))];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function figuresOf(runs: readonly Measured[]): Figure[] {
  const of = (name: string, times: (run: Measured) => Times, atMost: number): Figure => {
    const cpuMs = median(runs.map((run) => times(run).cpuMs));
    const wallMs = median(runs.map((run) => times(run).wallMs));
    const measured = `${(cpuMs / 1000).toFixed(2)} s (${(wallMs / 1000).toFixed(2)} s by the clock)`;
    return { name: `1,000,000 events: ${name}`, measured, value: cpuMs / 1000, unit: "s", goal: { atMost } };
  };
  const bytes = Math.max(...runs.map(({ reportBytes }) => reportBytes));
  const peak = Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes));
  return [
    of("read and validated", ({ read }) => read, 5),
    of("every check", ({ check }) => check, 3),
    of("figures and result", ({ assemble }) => assemble, 3),
    of("report written", ({ report }) => report, 2),
    {
      name: "1,000,000 events: size of the report",
      measured: `${(bytes / 1e6).toFixed(2)} MB`,
      value: bytes / 1e6,
      unit: "MB",
      goal: { atMost: 2 },
    },
    {
      name: "1,000,000 events: memory at the most",
      measured: `${peak.toFixed(0)} MB`,
      value: peak,
      unit: "MB",
      goal: { atMost: 1024 },
    },
  ];
}

/** From the call to the page with everything laid out and painted once; nothing where there is no browser. */
async function openingOf(file: string): Promise<Figure[]> {
  if (chromiumPath === undefined) return [];
  const browser = await launchBrowser();
  try {
    const times: number[] = [];
    for (let run = 0; run < OPENINGS; run += 1) {
      const page = await browser.newPage();
      const started = performance.now();
      await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      times.push(performance.now() - started);
      await page.close();
    }
    const ms = median(times);
    return [
      {
        name: "1,000,000 events: report opened in Chromium",
        measured: `${ms.toFixed(0)} ms`,
        value: ms / 1000,
        unit: "s",
        goal: { atMost: 1 },
      },
    ];
  } finally {
    await browser.close();
  }
}

async function writeHistory(file: string): Promise<void> {
  const out = createWriteStream(file);
  const header = { schema: "harness.history/1", runId: "bench", startedAt: "2026-01-01T00:00:00.000Z" };
  out.write(`${JSON.stringify({ ...header, startedAtMonotonicNs: "0" })}\n`);
  for (const batch of syntheticHistory(EVENTS, syntheticPlan())) {
    const text = batch.map((event) => `${JSON.stringify(event)}\n`).join("");
    if (!out.write(text)) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
  }
  out.end();
  await finished(out);
}

async function bundle(entryPoint: string, outfile: string): Promise<void> {
  await build({
    ...{ entryPoints: [entryPoint], outfile, bundle: true, packages: "external", logLevel: "warning" },
    ...{ platform: "node", format: "esm", target: "node20.19" },
  });
}
