import type { Command } from "../command.ts";

/** A command as the start page knows it, without loading it. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** Heading on the start page. */
  group: "Run" | "Look" | "Set up";
  load(): Promise<Command>;
}

/** Widens a command to what the command line needs to know; its options are resolved from its own table. */
const loaded = async (module: Promise<{ command: unknown }>): Promise<Command> => (await module).command as Command;

/** Every command, in the order in which it is listed. */
export const commandIndex: readonly CommandEntry[] = [
  {
    name: "lock",
    summary: "Does a lock hold? Real workers and a real Redis under faults, with and without the lock",
    group: "Run",
    load: () => loaded(import("./lock.ts")),
  },
  {
    name: "list",
    summary: "What there is: locks, faults, queues, jobs, checks, ...",
    group: "Look",
    load: () => loaded(import("./list.ts")),
  },
];
