import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

export type ProcessState = "running" | "stopped" | "gone";

/** Is a process running, stopped by a signal, or gone (a zombie counts as gone)? */
export async function processState(pid: number): Promise<ProcessState> {
  const letter = process.platform === "linux" ? letterFromProc(pid) : await letterFromPs(pid);
  if (letter === undefined || letter === "Z" || letter === "X") return "gone";
  return letter === "T" || letter === "t" ? "stopped" : "running";
}

/**
 * Waits until a process is in the given state.
 * @throws Error when it is gone, or still not in it after `limitMs`
 */
export async function untilProcess(pid: number, state: "running" | "stopped", limitMs = 2_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const seen = await processState(pid);
    if (seen === state) return;
    if (seen === "gone") throw new Error(`process ${pid} is gone; it was to be seen ${state}`);
    if (performance.now() > deadline) throw new Error(`process ${pid} is still ${seen} after ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function letterFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold anything: the state follows its last bracket.
    return stat.charAt(stat.lastIndexOf(")") + 2);
  } catch {
    return undefined;
  }
}

async function letterFromPs(pid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "state=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout.trim().charAt(0) || undefined;
}
