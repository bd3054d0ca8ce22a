import { messageOf } from "../errors.ts";
import type { Charges } from "./charges.ts";
import type { CleanupReport } from "./messages.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** What cleaning up needs of the system. */
export interface CleanupSystem {
  isAlive(identity: ProcessIdentity): boolean;
  /** Processes of the run that may never have been registered. */
  markedProcesses(): ProcessIdentity[];
  /** Signals the process, and its group if it leads one. */
  signal(pid: number, signal: "SIGCONT" | "SIGKILL"): void;
  run(command: readonly string[]): Promise<void>;
  /** Gives false when there was no such folder. */
  removeFolder(path: string): Promise<boolean>;
  sleep(ms: number): Promise<void>;
}

const LOOK_EVERY_MS = 50;
const GIVE_UP_AFTER_LOOKS = 200;

/**
 * Ends every process in charge, runs the commands, removes the folders. Never throws.
 *
 * @param quietLooks how many looks in a row must find no process. After the death of the orchestrator it takes several:
 * a child that it had just forked holds the pipe until its exec, but its new environment can be read only a moment later.
 */
export async function cleanUp(charges: Charges, system: CleanupSystem, quietLooks: number): Promise<CleanupReport> {
  const killed = new Set<number>();
  const failed: string[] = [];
  for (const process of await endProcesses(charges, system, quietLooks, killed)) {
    failed.push(`Process ${process.pid} could not be ended.`);
    killed.delete(process.pid);
  }
  for (const command of charges.commands.values()) {
    await system.run(command).catch((error) => failed.push(`${command.join(" ")}: ${messageOf(error)}`));
  }
  const removed: string[] = [];
  for (const folder of charges.folders) {
    try {
      if (await system.removeFolder(folder)) removed.push(folder);
    } catch (error) {
      failed.push(`The folder ${folder} could not be removed: ${messageOf(error)}`);
    }
  }
  return { killed: [...killed], removed, failed };
}

async function endProcesses(
  charges: Charges,
  system: CleanupSystem,
  quietLooks: number,
  killed: Set<number>,
): Promise<ProcessIdentity[]> {
  let living: ProcessIdentity[] = [];
  for (let look = 0, quiet = 0; quiet < quietLooks && look < GIVE_UP_AFTER_LOOKS; look++) {
    if (look > 0) await system.sleep(LOOK_EVERY_MS);
    living = livingProcesses(charges, system);
    quiet = living.length === 0 ? quiet + 1 : 0;
    for (const { pid } of living) {
      killed.add(pid);
      system.signal(pid, "SIGCONT");
      system.signal(pid, "SIGKILL");
    }
  }
  return living;
}

function livingProcesses(charges: Charges, system: CleanupSystem): ProcessIdentity[] {
  const registered = [...charges.processes.values()].filter((identity) => system.isAlive(identity));
  const known = new Map([...registered, ...system.markedProcesses()].map((identity) => [identity.pid, identity]));
  return [...known.values()];
}
