// What CI says about a change: base and head in turns, and what broke since the base branch. Also on your own machine:
//   npm run ci:compare -- --base ../base-checkout --baseline ./baseline
//
//   --base DIR      a built checkout of the base; by default this one, which shows the noise alone
//   --baseline DIR  lock/ and converge/ of the base branch's last run, as its artifact holds them
//   --out DIR       where everything goes (default ci-results): report.html, and baseline/ for the next run
//   --lock DIR      the folder of a lock safety run that was made already
//   --short         a few seconds of each: shows that it works, too little to find a regression
//
// Performance gates by pairs of rounds on one machine; correctness against the base branch's result, without statistics.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    base: { type: "string", default: relative(process.cwd(), root) || "." },
    baseline: { type: "string" },
    out: { type: "string", default: "ci-results" },
    lock: { type: "string" },
    short: { type: "boolean", default: false },
  },
});
// Relative paths, since they are what people read in the report.
const head = relative(process.cwd(), root) || ".";
const out = values.out;
const bin = join(root, "dist/harness/cli/bin.js");
// One seed for the safety and convergence runs, so that they can be compared with those of the base branch.
const seed = "20260101";
const [pairs, round] = values.short ? ["2", "300ms"] : ["14", "2s"];
const reporters = ["--reporter", "terminal,html,markdown,github"];

rmSync(join(out, "runs"), { recursive: true, force: true });
mkdirSync(join(out, "baseline"), { recursive: true });
const steps = [];

step("Performance of the lock, base and head in turns", "turns-lock", [
  ...["compare", "--run", values.base, head, "--pairs", pairs, "--round", round],
  "--common",
  "lock --rate 6000 --faults none --job-time constant(2ms) --workers 2 --lock set-nx",
]);
step("Performance of convergence, base and head in turns", "turns-converge", [
  ...["compare", "--run", values.base, head, "--pairs", pairs, "--round", round],
  "--common",
  "converge --crdt document --threads 1",
]);

const lock =
  values.lock === undefined
    ? step("Safety of the lock under faults", "lock", [
        ...["lock", "--workers", "4", "--rate", "1200", "--seed", seed],
        ...(values.short ? ["--duration", "4s", "--rounds", "1"] : []),
      ])
    : real(values.lock);
const converge = step("Convergence", "converge", [
  ...["converge", "--crdt", "document", "--seed", seed, "--threads", "2"],
  ...["--schedules", values.short ? "5000" : "500000"],
]);

// The same seed, so correctness can be held against it even where an option came or went.
for (const [kind, folder] of [
  ["lock", lock],
  ["converge", converge],
]) {
  const kept = join(out, "baseline", kind, "result.json");
  // In short form there is no artifact: held against itself, the step runs all the same.
  const base = values.baseline
    ? join(values.baseline, kind, "result.json")
    : values.short
      ? join(folder, "result.json")
      : "";
  if (!existsSync(base))
    console.log(`\n== There is no ${kind} result of the base branch yet: this run's becomes the first.`);
  else
    step(`Correctness of ${kind} against the base branch`, `correctness-${kind}`, ["compare", base, folder, "--force"]);
  cpSync(join(folder, "result.json"), kept);
}

const report = join(out, "report.html");
const folders = new Set([...steps.map(({ folder }) => folder), lock, converge]);
spawnSync(process.execPath, [bin, "report", ...folders, "--bundle", report], {
  stdio: ["ignore", "ignore", "inherit"],
});
console.log(`\n${steps.map(({ title, code }) => `${words(code).padEnd(14)} ${title}`).join("\n")}\n\n${report}`);
process.exit(steps.some(({ code, tolerated }) => code !== 0 && !tolerated) ? 1 : 0);

/** Runs one step; gives the folder of its result. */
function step(title, name, args) {
  console.log(`\n== ${title}`);
  const folder = join(out, "runs", name);
  const { status } = spawnSync(process.execPath, [bin, ...args, ...reporters, "--out", folder], { stdio: "inherit" });
  const latest = join(folder, "latest");
  const made = existsSync(join(latest, "result.json")) ? real(latest) : undefined;
  // A few seconds may have no power: that is no finding.
  const tolerated = values.short && made !== undefined && resultOf(made).status === "unknown";
  steps.push({ title, code: status ?? 70, folder: made, tolerated });
  if (made === undefined) {
    console.error(`${title}: no result, exit code ${status}.`);
    process.exit(status === 0 ? 70 : (status ?? 70));
  }
  return made;
}

/** Where a link leads, from here. */
function real(path) {
  return relative(process.cwd(), realpathSync(path)) || ".";
}

function resultOf(folder) {
  return JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
}

function words(code) {
  return { 0: "passed", 1: "FAILED", 2: "unknown" }[code] ?? `exit code ${code}`;
}
