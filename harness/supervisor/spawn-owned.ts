import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Supervisor } from "./parent.ts";

/**
 * Starts a child that cannot outlive the run: in a session of its own (a terminal's Ctrl-C does not reach it), marked
 * with the run's id, in the supervisor's charge until it exits. A program that cannot be started shows as the child's
 * `error` event, as with `spawn`.
 */
export function spawnOwned(
  supervisor: Supervisor,
  file: string,
  args: readonly string[],
  options: Omit<SpawnOptions, "detached"> = {},
): ChildProcess {
  const env = { ...(options.env ?? process.env), ...supervisor.childEnv };
  const child = spawn(file, args, { ...options, env, detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    supervisor.own(pid);
    child.once("exit", () => supervisor.disown(pid));
  }
  return child;
}
