// npm run bench [-- NAME...]: runs the benchmarks, or those whose names begin with one of the given words, and prints
// each figure beside its peer and its goal. Ratios within one run count; absolute figures depend on the machine.
import os from "node:os";
import type { Figure } from "./figure.ts";
import { isMet } from "./figure.ts";
import { benchmarks } from "./registry.ts";

const wanted = process.argv.slice(2);
const chosen = benchmarks.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
if (chosen.length === 0) {
  console.error(
    `No benchmark is named ${wanted.join(" or ")}. There are: ${benchmarks.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(64);
}

const [cpu] = os.cpus();
console.log(
  `${cpu?.model.trim()}, ${os.availableParallelism()} cores, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)}\n`,
);
console.log("| figure | measured | peer in the same run | value | goal | met |");
console.log("|---|---|---|---|---|---|");
for (const benchmark of chosen) {
  for (const figure of await benchmark.run()) console.log(row(figure));
}
console.log(`\n${chosen.map(({ name, method }) => `- ${name}: ${method}`).join("\n")}`);

function row(figure: Figure): string {
  const { name, measured, peer, value, unit, goal } = figure;
  const goalText = "atMost" in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  const shown = `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.trim();
  return (
    `| ${name} | ${measured} | ${peer ?? ""} | ${shown} | ${goalText} ${unit}`.trimEnd() +
    ` | ${isMet(figure) ? "yes" : "no"} |`
  );
}
