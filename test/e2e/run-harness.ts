import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { type LockResult, lockResultSchema } from "../../harness/results/lock-schema.ts";

export const bin = resolve("dist/harness/cli/bin.js");

/** A folder for one test, removed at its end. */
export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-e2e-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts `harness` with the given arguments in a folder of its own. */
export function startHarness(args: readonly string[], cwd: string) {
  return execa(process.execPath, [bin, ...args], { cwd, reject: false });
}

export interface LockRun {
  exitCode: number | undefined;
  stderr: string;
  result: LockResult;
  folder: string;
}

/** Runs `harness lock --json` to its end and parses what it printed. */
export async function runLock(args: readonly string[]): Promise<LockRun> {
  const cwd = folderForTest();
  const { exitCode, stdout, stderr } = await startHarness(["lock", "--json", ...args], cwd);
  if (stdout === "") throw new Error(`harness lock ended with ${exitCode} and printed nothing: ${stderr}`);
  return { exitCode, stderr, result: lockResultSchema.parse(JSON.parse(stdout)), folder: latestRun(cwd) };
}

export function latestRun(cwd: string): string {
  return join(cwd, "harness-results", "latest");
}

export const armOf = ({ arms }: LockResult, name: string) => {
  const arm = arms.find((candidate) => candidate.name === name);
  if (!arm) throw new Error(`the result has no arm ${name}, only ${arms.map((each) => each.name).join(", ")}`);
  return arm;
};

/** Processes of a run of the given harness process that are still there, as their command lines. Linux only. */
export function leftovers(harnessPid: number): string[] {
  return leftoversOf(`lock-${harnessPid}-`);
}

/** The same of any run whose id begins so. */
export function leftoversOf(runIdStart: string): string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const marked = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOLDFAST_RUN_ID=${runIdStart}`);
        return marked ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
      } catch {
        return [];
      }
    });
}

/** Waits until a fact is there. The test's own time limit ends it. */
export async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve_) => setTimeout(resolve_, 20));
}
