import { readdirSync, readFileSync } from "node:fs";
import { identify, type ProcessIdentity } from "./process-identity.ts";

/** Every process of a run carries this variable, so that one that was never registered is found as well. */
export const RUN_ID_VARIABLE = "HOLDFAST_RUN_ID";

/**
 * Processes whose environment names this run, the caller excepted. Linux only: elsewhere the list is empty and only
 * what was registered is known. A redis-server is found only with `set-proc-title no`, since its title overwrites its
 * environment.
 */
export function markedProcesses(runId: string): ProcessIdentity[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && carries(name, runId))
    .map((name) => identify(Number(name)))
    .filter((identity) => identity !== undefined);
}

function carries(pid: string, runId: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${RUN_ID_VARIABLE}=${runId}`);
  } catch {
    // Gone in the meantime, or somebody else's.
    return false;
  }
}
