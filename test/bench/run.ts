// npm run bench [-- NAME...] [--write]: runs the benchmarks, or those whose names begin with one of the given words, and
// prints each figure beside its peer and its goal. Ratios within one run count; absolute figures depend on the machine.
// --write puts the figures into docs/benchmarks.md, after each benchmark, so that none is lost to one that fails.
import os from "node:os";
import { row, tableHead, writePage } from "./page.ts";
import { benchmarks } from "./registry.ts";

const PAGE = "docs/benchmarks.md";

const words = process.argv.slice(2);
const wanted = words.filter((word) => word !== "--write");
const chosen = benchmarks.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
if (chosen.length === 0) {
  console.error(
    `No benchmark is named ${wanted.join(" or ")}. There are: ${benchmarks.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(64);
}

console.log(`${machine()}\n`);
console.log(tableHead.join("\n"));
for (const benchmark of chosen) {
  const measuredOn = machine();
  const figures = await benchmark.run();
  for (const figure of figures) console.log(row(figure));
  if (!words.includes("--write")) continue;
  writePage(PAGE, [{ ...benchmark, figures }], { machine: measuredOn, date: new Date().toISOString().slice(0, 10) });
}
console.log(`\n${chosen.map(({ name, method }) => `- ${name}: ${method}`).join("\n")}`);

/** With the load of the last minute, since a busy machine measures something else. */
function machine(): string {
  const cpu = os.cpus()[0]?.model.trim() ?? "unknown CPU";
  return `${cpu}, ${os.availableParallelism()} cores, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)}`;
}
