import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { formatDurationMs } from "../../config/units.ts";
import { UnavailableError, UsageError } from "../../errors.ts";
import { HISTORY_FILE } from "../../history/stored.ts";
import { parseResult, type Result } from "../../results/result-schema.ts";
import { makeFolders, writing } from "../../storage-error.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import { spawnOwned } from "../../supervisor/spawn-owned.ts";
import type { Side } from "./side.ts";

export interface RoundOrder {
  side: Side;
  seed: number;
  roundMs: number;
  /** Folder of this round, in which the run makes its own. */
  folder: string;
}

export interface Surroundings {
  supervisor: Supervisor;
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** Runs one round of one side in a process of its own, of the side's build, and gives its result. */
export async function playRound(order: RoundOrder, surroundings: Surroundings): Promise<Result> {
  const { side, folder } = order;
  writing(folder, () => makeFolders(folder));
  const { code, stdout, stderr } = await run([side.bin, side.kind, ...side.args, ...roundArgs(order)], surroundings);
  surroundings.signal.throwIfAborted();
  if (stdout.trim() === "") throw failureOf(side, code, stderr);
  const result = parseResult(stdout, `The result of ${side.label}`);
  if (result.status === "interrupted") throw new Error(`${side.label} was interrupted: ${result.statusReason}`);
  if (result.findings.length === 0) forgetHistory(folder);
  return result;
}

/** Does a build know an option? Asked once, so that an older one can be compared with a newer one. */
export async function knows(side: Side, flag: string, surroundings: Surroundings): Promise<boolean> {
  const { stdout } = await run([side.bin, side.kind, "--help"], surroundings);
  return stdout.includes(flag);
}

/** Has a side resolved and planned as its rounds will be, without a run. A build that cannot do that is believed. */
export async function planRound(order: RoundOrder, surroundings: Surroundings): Promise<void> {
  const { side } = order;
  if (side.foreign && !(await knows(side, "--dry-run", surroundings))) return;
  const ended = await run([side.bin, side.kind, ...side.args, ...roundArgs(order), "--dry-run"], surroundings);
  surroundings.signal.throwIfAborted();
  if (ended.code !== 0) throw failureOf(side, ended.code, ended.stderr);
}

function roundArgs({ side, seed, roundMs, folder }: RoundOrder): string[] {
  const each = ["--json", "--quiet", "--reporter", "terminal", "--out", folder];
  const length = formatDurationMs(roundMs);
  switch (side.kind) {
    case "lock":
      return ["--rounds", "1", "--duration", length, "--seed", String(seed), ...each];
    case "converge": {
      const counted = side.args.some((word) => /^--(schedules|exhaustive|zoo|index)\b/.test(word));
      return [...(counted ? [] : ["--time", length]), "--seed", String(seed), ...each];
    }
    case "matrix":
      return ["--seed", String(seed), ...each];
    case "bench":
      return ["--rounds", "1", "--time", length, ...each];
  }
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[], { supervisor, cwd, environment, signal }: Surroundings): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawnOwned(supervisor, process.execPath, args, {
      cwd,
      env: { ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = [[], []] as [Buffer[], Buffer[]];
    child.stdout?.on("data", (piece: Buffer) => out.push(piece));
    child.stderr?.on("data", (piece: Buffer) => err.push(piece));
    // The run heals and saves what it has; whatever it leaves is the supervisor's.
    const end = () => child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    if (signal.aborted) end();
  });
}

function failureOf({ label, kind, args }: Side, code: number | null, stderr: string): Error {
  const said = stderr.trim().split("\n").slice(-6).join("\n");
  if (code === 64) return new UsageError(saidOf(label, said), { code: "SIDE_REFUSED" });
  if (code === 69) return new UnavailableError(saidOf(label, said), { code: "SIDE_UNAVAILABLE" });
  const command = `harness ${[kind, ...args].join(" ")}`;
  return new Error(`${label}: ${command} ended with ${code ?? "a signal"} and no result. It says: ${said}`);
}

/** A message that begins with the option that it is about, where that is the end of the label, has it once. */
export function saidOf(label: string, said: string): string {
  const option = /^(--.*?): /.exec(said)?.[1];
  return option !== undefined && label.endsWith(option) ? `${label}${said.slice(option.length)}` : `${label}: ${said}`;
}

/** Of a round without findings its result is all that is needed; histories of many rounds would fill the disk. */
function forgetHistory(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name, HISTORY_FILE), { force: true });
}
