/** Where a workload's code is: loaded by the process that runs it, never imported by the engine. */
export interface ModuleRef {
  /** The name under which it stands in plans, results and reports, such as `set-nx`. */
  name: string;
  /** Absolute path of the module: a built one, or a user's `.ts`, `.mts`, `.js`, `.mjs` or `.cjs`. */
  path: string;
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
  /** For a broken lock: the scenario that shows it, and the check that must find it. */
  caughtBy?: { scenario: string; check: string };
}
