import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process that cannot be mistaken for a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the words of this system. Compared, never interpreted. */
  startTime: string;
}

/** The identity of a process that exists now, or undefined when there is none, or only a zombie. */
export function identify(pid: number, platform: NodeJS.Platform = process.platform): ProcessIdentity | undefined {
  const state = platform === "linux" ? stateFromProc(pid) : stateFromPs(pid);
  return state === undefined || state.zombie ? undefined : { pid, startTime: state.startTime };
}

/** Is this very process still there? False for a zombie and for another process under the same id. */
export function isAlive(identity: ProcessIdentity, platform: NodeJS.Platform = process.platform): boolean {
  return identify(identity.pid, platform)?.startTime === identity.startTime;
}

interface ProcessState {
  startTime: string;
  zombie: boolean;
}

/** proc(5): the second field is the name in parentheses, which may hold spaces and parentheses; state is field 3, start time field 22. */
export function parseProcStat(stat: string): ProcessState | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, startTime] = [fields[0], fields[19]];
  if (!state || !startTime) return undefined;
  return { startTime, zombie: state === "Z" || state === "X" };
}

/** The output of `ps -o stat=,lstart=`: `Ss+  Mon Jan  5 10:11:12 2026`. */
export function parsePs(output: string): ProcessState | undefined {
  const [, state, startTime] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(output) ?? [];
  if (!state || !startTime) return undefined;
  return { startTime, zombie: state.startsWith("Z") };
}

function stateFromProc(pid: number): ProcessState | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined;
  }
}

function stateFromPs(pid: number): ProcessState | undefined {
  const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return parsePs(stdout ?? "");
}
