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
    name: "matrix",
    summary: "Which lock holds in which scenario? The table of what breaks, each cell with its evidence",
    group: "Run",
    load: () => loaded(import("./matrix.ts")),
  },
  {
    name: "converge",
    summary: "Do replicas converge, and to the right thing? Thousands of schedules, judged after each step",
    group: "Run",
    load: () => loaded(import("./converge.ts")),
  },
  {
    name: "replay",
    summary: "A stored plan or a counterexample again",
    group: "Run",
    load: () => loaded(import("./replay.ts")),
  },
  {
    name: "compare",
    summary: "Two results, or two configurations or builds run in turns: what broke, what became slower",
    group: "Run",
    load: () => loaded(import("./compare.ts")),
  },
  {
    name: "agent",
    summary: "Takes parts of campaigns from a queue, on as many machines as there are",
    group: "Run",
    load: () => loaded(import("./agent.ts")),
  },
  {
    name: "worker",
    summary: "Joins a lock run of another machine and plays some of its workers here",
    group: "Run",
    load: () => loaded(import("./worker.ts")),
  },
  {
    name: "proxy",
    summary: "The fault proxy alone, with the HTTP API of Toxiproxy",
    group: "Run",
    load: () => loaded(import("./proxy.ts")),
  },
  {
    name: "lab",
    summary: "The replica lesson, step by step: two regions, a broken link, and what becomes of the orders",
    group: "Run",
    load: () => loaded(import("./lab.ts")),
  },
  {
    name: "bench",
    summary: "Micro-benchmarks: locks, CRDTs, clock, histogram, proxy",
    group: "Run",
    load: () => loaded(import("./bench.ts")),
  },
  {
    name: "report",
    summary: "The reports of a stored run again",
    group: "Look",
    load: () => loaded(import("./report.ts")),
  },
  {
    name: "check",
    summary: "The checks of a stored history again, without a new run",
    group: "Look",
    load: () => loaded(import("./check.ts")),
  },
  {
    name: "merge",
    summary: "The results of shards, run on several machines, into one",
    group: "Look",
    load: () => loaded(import("./merge.ts")),
  },
  {
    name: "export",
    summary: "A stored history in other forms: CSV, JSON, Jepsen's EDN, compact binary",
    group: "Look",
    load: () => loaded(import("./export.ts")),
  },
  {
    name: "list",
    summary: "What there is: locks, faults, queues, jobs, checks, CRDTs, oracles, ...",
    group: "Look",
    load: () => loaded(import("./list.ts")),
  },
  {
    name: "schema",
    summary: "The JSON Schema of a result or of the configuration file",
    group: "Look",
    load: () => loaded(import("./schema.ts")),
  },
  {
    name: "doctor",
    summary: "Is this machine ready? Redis or how to get it, ports, timers, noise",
    group: "Set up",
    load: () => loaded(import("./doctor.ts")),
  },
  {
    name: "init",
    summary: "A configuration file, an example lock, an example CRDT and a CI workflow to start from",
    group: "Set up",
    load: () => loaded(import("./init.ts")),
  },
  {
    name: "completion",
    summary: "Completion for bash, zsh or fish",
    group: "Set up",
    load: () => loaded(import("./completion.ts")),
  },
];
