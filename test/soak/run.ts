// npm run soak [-- --runs N --seed N --at-once N]: short runs with random faults, one after the other, each with a seed of
// its own. None may leave a process, a folder or a fault behind, hang, or be unknown without a reason. Prints each run that
// does, with the command that does it again, and ends with 1 if there was one.
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type SoakOutcome, soakRun } from "./soak-run.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    "at-once": { type: "string", default: "1" },
  },
});
const [runs, firstSeed, atOnce] = [values.runs, values.seed, values["at-once"]].map(Number) as [number, number, number];
const outcomes: SoakOutcome[] = [];
const startedMs = Date.now();
let next = 0;

async function lane(): Promise<void> {
  while (next < runs) {
    const seed = firstSeed + next;
    next += 1;
    const outcome = await soakRun(seed);
    outcomes.push(outcome);
    for (const problem of outcome.problems) console.log(`seed ${seed}: ${problem}\n  ${outcome.command}`);
    if (outcomes.length % 20 === 0) console.log(`${outcomes.length} of ${runs} runs, ${minutes()} min`);
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    console.log(`${signal}: ended before its time.\n${summary()}`);
    process.exit(143);
  });
}
await Promise.all(Array.from({ length: atOnce }, lane));
console.log(summary());
process.exitCode = outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;

function summary(): string {
  const faults = outcomes.flatMap((outcome) => outcome.faults);
  const kinds = new Set(faults);
  const statuses = Object.entries(countBy(outcomes.map(({ status }) => status)))
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
  const bad = outcomes.filter(({ problems }) => problems.length > 0).length;
  return [
    `${outcomes.length} runs in ${minutes()} min (${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}): ${statuses}.`,
    `${faults.length} faults of ${kinds.size} kinds were injected and, where they last, healed.`,
    bad === 0
      ? "No orphan, no unhealed fault, no hang, no unknown without a reason."
      : `${bad} runs were not as they must be.`,
  ].join("\n");
}

function minutes(): string {
  return ((Date.now() - startedMs) / 60_000).toFixed(1);
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
