/** Where a workload's code is: loaded by the process that runs it, never imported by the engine. */
export interface ModuleRef {
  /** The name under which it stands in plans, results and reports, such as `set-nx`. */
  name: string;
  /** Absolute path of the module: a built one, or a user's `.ts`, `.mts`, `.js`, `.mjs` or `.cjs`. */
  path: string;
}

/** A module with the options that it was given: `bullmq(stalledIntervalMs=500)`. */
export type ConfiguredModule = ModuleRef & { options?: Readonly<Record<string, string | number | boolean>> };

/** An npm package that a workload drives, at the version it was written for. Every version of the same major serves. */
export interface NeededPackage {
  name: string;
  version: string;
  /** Name under which it may be installed beside another version of itself. */
  alias?: string;
}

/** One entry of a registry: what `list`, `--help`, the plan and the documentation know of a workload. */
export interface RegistryEntry {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  /** Path of the module below the folder of its registry, without an ending: `locks/set-nx`. */
  module: string;
  /** The npm package that must be installed beside holdfast, if it needs one: `redlock@5.0.0-beta.2`. */
  needsPackage?: string;
}

/** What a lock is here for. */
export type LockFamily =
  /** Differs from a lock by acquire and release alone. */
  | "control"
  /** Written here, held up as right within its stated limits. */
  | "own"
  /** A library from npm, as it is published. */
  | "npm"
  /** Wrong on purpose: proves that the checks find what it gets wrong. */
  | "broken";

/** A lock's entry. */
export interface LockRegistryEntry extends RegistryEntry {
  family: LockFamily;
  /** For a broken lock: the wrong thought behind it, one sentence without a full stop at the end. */
  wrongThought?: string;
  /** For a broken lock: the scenario that shows it, and the check that must find it; with those that find it, too. */
  caughtBy?: { scenario: string; check: string; and?: readonly string[] };
  /** For a lock that no check may find anything against: in every scenario but these, for the reason that stands there. */
  soundBut?: Readonly<Record<string, string>>;
  /** The one queue that it goes with: for a queue's own lock. */
  queue?: string;
}

/** A queue's entry. */
export interface QueueRegistryEntry extends RegistryEntry {
  /** Orders of acknowledgement that are possible with it. */
  ack: readonly ("inside" | "after")[];
}
