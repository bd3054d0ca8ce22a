// A/A on a real machine: a configuration against itself, in turns, many times over. Counts the comparisons in which any
// metric came out significant and beyond its threshold though nothing had changed, before and after the second batch.
//   node test/campaign/false-alarms.mjs [--times 10] [--pairs 11] [--round 600ms] [--log aa.ndjson]
// With --log it appends a line for each comparison, so that the campaign can be run in pieces; the totals are of all lines.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "10" },
    pairs: { type: "string", default: "11" },
    round: { type: "string", default: "600ms" },
    side: { type: "string", default: "lock --rate 20000 --faults none --job-time constant(1ms) --workers 2" },
    log: { type: "string" },
  },
});
const bin = resolve("dist/harness/cli/bin.js");
const folder = mkdtempSync(join(tmpdir(), "holdfast-aa-"));
const log = values.log ?? join(folder, "aa.ndjson");
try {
  for (let time = 0; time < Number(values.times); time++) {
    const args = ["--run", values.side, values.side, "--pairs", values.pairs, "--round", values.round];
    const run = spawnSync(process.execPath, [bin, "compare", ...args, "--json", "--quiet", "--out", folder], {
      maxBuffer: 2 ** 28,
    });
    if (run.stdout.length === 0) throw new Error(`no result: ${run.stderr}`);
    const { verdict, confirmed, rounds, metrics, durationMs } = JSON.parse(run.stdout);
    const gated = metrics.filter((metric) => metric.gated);
    // A regression that the second batch took back keeps its note.
    const first = gated.filter(
      ({ verdict: one, note }) => one === "regressed" || note?.includes("regressed in one batch"),
    );
    const line = {
      ...{ verdict, confirmed, pairs: rounds.base, needed: rounds.needed, seconds: Math.round(durationMs / 1000) },
      gated: gated.length,
      alarmInFirstBatch: first.map(({ metric }) => metric),
      improved: gated.filter(({ verdict: one }) => one === "improved").map(({ metric }) => metric),
      smallestP: Math.min(...gated.map(({ pAdjusted }) => pAdjusted ?? 1)),
      widest: Math.max(...gated.map(({ lo, hi }) => Math.max(Math.abs(lo ?? 0), Math.abs(hi ?? 0)))),
    };
    appendFileSync(log, `${JSON.stringify(line)}\n`);
    console.log(JSON.stringify(line));
  }
} finally {
  if (existsSync(log)) {
    const lines = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const count = (accept) => lines.filter(accept).length;
    console.log(
      `${lines.length} comparisons of a configuration with itself: ${count(({ verdict }) => verdict === "regressed")} failed, ` +
        `${count(({ alarmInFirstBatch }) => alarmInFirstBatch.length > 0)} alarmed in the first batch, ` +
        `${count(({ improved }) => improved.length > 0)} seemed improved, ${count(({ verdict }) => verdict === "unchanged")} unchanged.`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
}
