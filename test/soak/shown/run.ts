// npm run faults:shown [-- FAULT...]: runs a command for every fault, and writes what was seen to docs/faults-shown.md.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import type { HistoryEvent } from "../../../harness/contracts/history.ts";
import { lockResultSchema } from "../../../harness/results/lock-schema.ts";
import { commandOf, type Demonstration, demonstrations } from "./demonstrations.ts";
import { whatWasSeen } from "./seen.ts";

const bin = resolve("dist/harness/cli/bin.js");
const file = resolve("docs/faults-shown.md");
const wanted = process.argv.slice(2);
const chosen = demonstrations.filter(
  ({ fault }) => wanted.length === 0 || wanted.some((word) => fault.startsWith(word)),
);
const rows = new Map(wanted.length > 0 && existsSync(file) ? rowsIn(readFileSync(file, "utf8")) : []);
let version = "";

for (const demonstration of chosen) {
  const row = await show(demonstration);
  rows.set(demonstration.fault, row);
  console.log(row);
  // After each, so that what was seen is kept whatever comes.
  mkdirSync(resolve("docs"), { recursive: true });
  writeFileSync(file, page());
}

async function show(demonstration: Demonstration): Promise<string> {
  const args = commandOf(demonstration);
  const command = `npx harness ${args.map((word) => (/[()\s"]/.test(word) ? `'${word}'` : word)).join(" ")}`;
  const cwd = mkdtempSync(join(tmpdir(), "holdfast-shown-"));
  try {
    const { stdout, stderr, exitCode } = await execa(process.execPath, [bin, ...args, "--json"], {
      cwd,
      reject: false,
    });
    if (stdout === "")
      return tableRow(demonstration.fault, command, `exit ${exitCode}: ${stderr.trim().slice(0, 200)}`);
    const result = lockResultSchema.parse(JSON.parse(stdout));
    version = result.environment.redis?.version ?? version;
    const history = readFileSync(join(cwd, "harness-results/latest/history.ndjson"), "utf8")
      .trimEnd()
      .split("\n")
      .slice(1);
    const seen = whatWasSeen(
      result,
      history.map((line) => JSON.parse(line) as HistoryEvent),
    );
    return tableRow(demonstration.fault, command, seen);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function tableRow(fault: string, command: string, seen: string): string {
  return `| ${fault} | \`${command.replaceAll("|", "\\|")}\` | ${seen} |`;
}

function rowsIn(text: string): [string, string][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes("npx harness"))
    .map((line) => [line.split("|")[1]?.trim() ?? "", line]);
}

function page(): string {
  const listed = demonstrations.flatMap(({ fault }) => rows.get(fault) ?? []);
  return [
    "# Every fault, and what was seen of it",
    "",
    "Made by `npm run faults:shown`, which runs each command. What was seen is taken from the history of the lock's arm: times",
    "count from the start of the load, and the acquires before the fault stand beside those in it. Findings are in bold: faults",
    "that take a server's memory or its clock away break locks that depend on them.",
    "",
    `Last run: ${cpus().length} cores, Node ${process.version}, Redis ${version || "as found"}, load ${loadavg()[0]?.toFixed(1)}.`,
    "",
    "| fault | command | what was seen |",
    "| --- | --- | --- |",
    ...listed,
    "",
  ].join("\n");
}
