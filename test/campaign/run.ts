// npm run campaign [-- NAME... --minutes N --threads N --seed N]: a long campaign on every type that is expected to be
// correct: the project's own, the policies, yjs, automerge, loro. Prints a row of a table for each as it ends, then what
// was found. Ends with 1 when a type of the project's own raised an alarm, or ran fewer than 1,000,000 events. Too long
// for CI: ten minutes a type make three hours.
import { parseArgs } from "node:util";
import { execa } from "execa";
import { builtFile } from "../../harness/package-root.ts";
import type { ConvergeCrdt, ConvergeFailure, ConvergeResult } from "../../harness/results/converge-schema.ts";
import { crdtRegistry } from "../../workloads/crdts/registry.ts";

const LEAST_EVENTS = 1_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    threads: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: "harness-results/campaign" },
  },
});
const correct = crdtRegistry.filter(({ expected }) => expected === "correct");
const unknown = positionals.filter((wanted) => !correct.some(({ name }) => name === wanted));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(", ")}: not expected to be correct. There are: ${correct.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(64);
}
const names = positionals.length > 0 ? positionals : correct.map(({ name }) => name);

const alarms: string[] = [];
const details: string[] = [];
console.log("| type | schedules | events | schedules/s | alarms |");
console.log("|---|---|---|---|---|");
for (const name of names) {
  const crdt = await campaign(name);
  const found = Object.entries(crdt.failed).map(([oracle, count]) => `${oracle} ${count.toLocaleString("en")}`);
  console.log(
    `| ${name} | ${crdt.schedules.toLocaleString("en")} | ${crdt.events.toLocaleString("en")} | ` +
      `${crdt.schedulesPerSecond.toLocaleString("en")} | ${found.join(", ") || "none"} |`,
  );
  details.push(...firstOfEach(crdt).map((failure) => describe(name, failure)));
  const isOwn = correct.find((entry) => entry.name === name)?.family !== "library";
  if (isOwn && found.length > 0) alarms.push(`${name}: ${found.join(", ")}`);
  if (isOwn && crdt.events < LEAST_EVENTS) alarms.push(`${name}: only ${crdt.events} events; give it more minutes`);
}
console.log(`\n${details.join("\n\n")}`);
if (alarms.length > 0) {
  console.error(`\n${alarms.join("\n")}`);
  process.exitCode = 1;
}

async function campaign(name: string): Promise<ConvergeCrdt> {
  const limits = ["--time", `${values.minutes}m`, "--threads", values.threads, "--seed", values.seed];
  const { stdout, stderr, exitCode } = await execa(
    process.execPath,
    [builtFile("harness/cli/bin.js"), "converge", "--crdt", name, ...limits, "--json", "--quiet", "--out", values.out],
    { reject: false },
  );
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`The campaign of ${name} ended with ${exitCode}: ${stderr}`);
  const { crdts } = JSON.parse(stdout) as ConvergeResult;
  return crdts[0]!;
}

function firstOfEach({ failures }: ConvergeCrdt): ConvergeFailure[] {
  return failures.filter(({ oracle }, at) => failures.findIndex((failure) => failure.oracle === oracle) === at);
}

function describe(name: string, { oracle, steps, expected, actual, replay }: ConvergeFailure): string {
  const told = steps.map(({ text }, at) => `  ${at + 1}. ${text}`);
  return [`${name}: ${oracle}`, ...told, `  expected: ${expected}`, `  actual:   ${actual}`, `  ${replay}`].join("\n");
}
