import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { type LockResult, lockResultSchema } from "../../harness/results/lock-schema.ts";

/** What became of one run, and what must not have been. */
export interface SoakOutcome {
  command: string;
  status: string;
  /** Names of the faults that were injected. */
  faults: string[];
  problems: string[];
}

/** A run of one second takes some seconds with servers, workers and draining; beyond this it hangs. */
const HANGS_AFTER_MS = 120_000;
const bin = resolve("dist/harness/cli/bin.js");

/** Shapes that take turns: where the lock lives, which lock, how jobs are delivered. */
const shapes: readonly (readonly string[])[] = [
  ["--lock", "set-nx"],
  ["--lock", "set-nx-renewing"],
  ["--lock", "set-nx-fenced", "--job", "invoice"],
  ["--lock", "redlock", "--topology", "redlock"],
  ["--lock", "set-nx", "--topology", "replicated"],
  ["--lock", "redlock-5", "--topology", "redlock"],
  ["--lock", "redis-semaphore", "--command-timeout", "300ms"],
  ["--lock", "set-nx", "--queue", "bullmq"],
  ["--lock", "set-nx", "--topology", "sentinel"],
  ["--lock", "simple-redis-mutex"],
];

const common = [
  ...["--duration", "1s", "--rounds", "1", "--rate", "600", "--job-time", "constant(50ms)", "--workers", "2"],
  ...["--visibility", "500ms", "--ttl", "1500ms", "--ack", "after"],
];

/** One run with faults drawn from its seed. */
export async function soakRun(seed: number): Promise<SoakOutcome> {
  const shape = shapes[seed % shapes.length] ?? [];
  const args = ["lock", ...common, ...shape, "--faults", `random(faults=${1 + (seed % 3)})`, "--seed", String(seed)];
  const command = `npx harness ${args.map((word) => (/[()\s]/.test(word) ? `'${word}'` : word)).join(" ")}`;
  const cwd = mkdtempSync(join(tmpdir(), "holdfast-soak-"));
  const temporary = join(cwd, "tmp");
  mkdirSync(temporary);
  try {
    const run = execa(process.execPath, [bin, ...args, "--json"], {
      ...{ cwd, reject: false, timeout: HANGS_AFTER_MS, killSignal: "SIGKILL" as const },
      env: { TMPDIR: temporary },
    });
    const { stdout, stderr, exitCode, timedOut } = await run;
    if (timedOut) return { command, status: "hung", faults: [], problems: [`it hung: ${HANGS_AFTER_MS / 1000} s`] };
    const left = await leftBehind(run.pid ?? 0, temporary);
    if (stdout === "") {
      return {
        command,
        status: "none",
        faults: [],
        problems: [`exit ${exitCode}, no result: ${stderr.slice(-400)}`, ...left],
      };
    }
    const result = lockResultSchema.parse(JSON.parse(stdout));
    return {
      command,
      status: result.status,
      faults: result.faults.filter(({ injectedAtMs }) => injectedAtMs !== null).map(({ name }) => name),
      problems: [...left, ...problemsOf(result, exitCode, stderr)],
    };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function problemsOf(
  { status, statusReason, faults }: LockResult,
  exitCode: number | undefined,
  stderr: string,
): string[] {
  const expected = { passed: 0, failed: 1, unknown: 2 }[status as string];
  const wrongCode =
    exitCode === expected
      ? []
      : [`it is ${status} (${statusReason}), and ended with ${exitCode}: ${stderr.slice(-400)}`];
  const broken = faults.flatMap(({ id, name, arm, target, error }) =>
    error === undefined ? [] : [`${name} (${id}) on ${target} in ${arm}: ${error}`],
  );
  const silent = /does not answer|did not answer/.test(statusReason) ? [statusReason] : [];
  const groundless = status === "unknown" && statusReason.trim() === "" ? ["unknown without a reason"] : [];
  return [...wrongCode, ...broken, ...silent, ...groundless];
}

/** Processes and folders of the run that are still there a moment after its end. */
async function leftBehind(pid: number, temporary: string): Promise<string[]> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (orphansOf(pid).length === 0 && foldersIn(temporary).length === 0) return [];
    await sleep(50);
  }
  const processes = orphansOf(pid).map((line) => `orphan: ${line}`);
  return [...processes, ...foldersIn(temporary).map((name) => `folder left: ${name}`)];
}

/** What others keep there for later is theirs: compiled modules, for one. */
const foldersIn = (temporary: string) => readdirSync(temporary).filter((name) => name.startsWith("holdfast"));

function orphansOf(harnessPid: number): string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOLDFAST_RUN_ID=lock-${harnessPid}-`);
        return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()] : [];
      } catch {
        return [];
      }
    });
}
