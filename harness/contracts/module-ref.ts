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
