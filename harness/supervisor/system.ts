import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { CleanupSystem } from "./cleanup.ts";
import { markedProcesses } from "./marked.ts";
import { isAlive } from "./process-identity.ts";

const COMMAND_TIMEOUT_MS = 15_000;

/** The real system, for the processes of one run. */
export function realSystem(runId: string): CleanupSystem {
  return {
    isAlive: (identity) => isAlive(identity),
    markedProcesses: () => markedProcesses(runId),
    signal(pid, signal) {
      // A group has the id of the process that made it, and the id is not given away while the group lives.
      trySignal(-pid, signal);
      trySignal(pid, signal);
    },
    async run([file = "", ...args]) {
      await promisify(execFile)(file, args, { timeout: COMMAND_TIMEOUT_MS, killSignal: "SIGKILL" });
    },
    async removeFolder(path) {
      if (!existsSync(path)) return false;
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      return true;
    },
    sleep: (ms) => sleep(ms),
  };
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or not ours: the next look tells.
  }
}
