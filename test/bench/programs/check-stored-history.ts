// Reads, validates and checks the history in a folder, makes its result and writes its report there: prints times in ms (of the clock, and
// of the processor, which a busy machine does not lengthen as much), and memory, as JSON.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "../../../harness/checks/registry.ts";
import { readStoredHistory } from "../../../harness/history/stored.ts";
import { assembleLockResult } from "../../../harness/results/assemble-lock.ts";
import { renderLockHtml } from "../../../reports/html/lock.ts";
import { syntheticPlan } from "../synthetic-history.ts";

const [folder = "."] = process.argv.slice(2);
const plan = syntheticPlan();
const now = () => ({ wallMs: performance.now(), cpuMs: (process.cpuUsage().user + process.cpuUsage().system) / 1000 });
const started = now();
const { armRounds, events } = await readStoredHistory(folder);
const read = now();
const outcome = runChecks({ plan, armRounds });
const checked = now();
const result = assembleLockResult({
  plan,
  armRounds,
  findings: outcome.findings,
  meta: {
    ...{ id: "bench", startedAt: "2026-01-01T00:00:00.000Z", durationMs: 0, argv: [], config: {}, replay: "" },
    tool: { version: "0", commit: null, dirty: null },
    environment: { node: process.version, os: "", cpu: "", cores: 1 },
    plan: { file: "plan.json", sha256: "", faultsText: "" },
    checks: outcome,
    lookOf: () => ({ colour: "worker", pattern: "hatch" }),
  },
});
const assembled = now();
const report = renderLockHtml(result);
writeFileSync(join(folder, "report.html"), report);
const reported = now();
console.log(
  JSON.stringify({
    ...{ events, findings: outcome.findings.length, notJudged: outcome.notJudged, status: result.status },
    read: between(started, read),
    check: between(read, checked),
    assemble: between(checked, assembled),
    report: between(assembled, reported),
    reportBytes: Buffer.byteLength(report),
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  }),
);

function between(from: ReturnType<typeof now>, to: ReturnType<typeof now>) {
  return { wallMs: Math.round(to.wallMs - from.wallMs), cpuMs: Math.round(to.cpuMs - from.cpuMs) };
}
