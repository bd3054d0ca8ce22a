import { existsSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { crdtRegistry } from "../../workloads/crdts/registry.ts";
import { jobRegistry } from "../../workloads/jobs/registry.ts";
import { locatePackage } from "../../workloads/load-package.ts";
import { lockRegistry } from "../../workloads/locks/registry.ts";
import { queueRegistry } from "../../workloads/queues/registry.ts";
import { didYouMean } from "../config/nearest.ts";
import type { Job } from "../contracts/job.ts";
import type { LockModule } from "../contracts/lock-adapter.ts";
import type {
  LockRegistryEntry,
  ModuleRef,
  NeededPackage,
  QueueRegistryEntry,
  RegistryEntry,
} from "../contracts/module-ref.ts";
import { messageOf, UnavailableError, UsageError } from "../errors.ts";
import { exportedFunction, loadModule } from "../load-module.ts";
import { flawOfCapabilities } from "../lock/verify-capabilities.ts";
import { type ModuleTrial, tryModule } from "../module-trial.ts";
import { builtFile } from "../package-root.ts";
import { parseWorkloadText, type WorkloadOptions } from "./workload-text.ts";

const registries = { lock: lockRegistry, job: jobRegistry, queue: queueRegistry, crdt: crdtRegistry } as const;

export type WorkloadKind = keyof typeof registries;

/** A workload that was found: where it is, its options, and the registry's word on it, unless it is a user's file. */
export interface FoundWorkload {
  ref: ModuleRef;
  options: WorkloadOptions;
  entry?: RegistryEntry;
}

/**
 * Finds a workload by the name of a registry or as a user's file.
 * @param folder what relative paths count from
 * Throws `UsageError` for an unknown name, with the nearest valid one, and for a file that is not there.
 */
export function findWorkload(kind: WorkloadKind, text: string, folder: string): FoundWorkload {
  const { place, isFile, options } = readText(kind, text);
  // Names come first: those of broken CRDTs have a slash.
  const entry = registries[kind].find(({ name }) => name === place);
  if (entry) return { ref: builtIn(entry), options, entry };
  if (isFile) {
    const path = resolve(folder, place);
    if (!existsSync(path))
      throw new UsageError(`--${kind} ${place}: there is no such file (${path}).`, { code: "NO_FILE" });
    return { ref: { name: basename(path, extname(path)), path }, options };
  }
  const file = [".ts", ".js", ".mjs", ".cjs"]
    .map((ending) => `${place}${ending}`)
    .find((name) => existsSync(join(folder, name)));
  const hint = file
    ? ` The file here is written ./${file}.`
    : didYouMean(
        place,
        registries[kind].map(({ name }) => name),
      );
  throw new UsageError(`--${kind} ${place}: there is no such ${kind}.${hint}`, { code: "UNKNOWN_NAME" });
}

function readText(kind: WorkloadKind, text: string): ReturnType<typeof parseWorkloadText> {
  try {
    return parseWorkloadText(text);
  } catch (error) {
    throw new UsageError(`--${kind} ${text}: ${messageOf(error)}`, { code: "BAD_VALUE", cause: error });
  }
}

/** The module behind the controls. */
export function controlModule(): ModuleRef {
  return findWorkload("lock", "none", ".").ref;
}

/**
 * Loads a lock's module far enough to know that it keeps the contract, and what the lock can do if the module says so.
 * Throws `UsageError`, or `UnavailableError` where a package has to be installed.
 */
export async function loadLock(found: FoundWorkload): Promise<Pick<LockModule, "capabilities" | "changedDefaults">> {
  const module = await load("lock", found);
  refuseUnless(() => exportedFunction(module, "createLock", found.ref.path), "lock");
  const { capabilities, changedDefaults, packages = [] } = module as Partial<LockModule>;
  refuseMissing("lock", found, packages);
  if (capabilities !== undefined && typeof capabilities?.nodes !== "number") {
    throw new UsageError(
      `--lock ${found.ref.path}: its \`capabilities\` must have renewal, fencing, nodes and client, as LockCapabilities says.`,
      { code: "BAD_MODULE" },
    );
  }
  const flaw = capabilities === undefined ? undefined : flawOfCapabilities(capabilities);
  if (flaw !== undefined) {
    throw new UsageError(`--lock: the \`capabilities\` of ${found.ref.path} say ${flaw}.`, { code: "BAD_MODULE" });
  }
  const { noLock } = await trialOf("lock", found);
  if (noLock !== undefined) throw new UsageError(`--lock: ${noLock}.`, { code: "BAD_MODULE" });
  return {
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(changedDefaults === undefined ? {} : { changedDefaults }),
  };
}

/**
 * Loads a queue's module far enough to know that it keeps the contract.
 * Throws `UsageError`, or `UnavailableError` where a package has to be installed.
 */
export async function loadQueue(found: FoundWorkload): Promise<void> {
  const module = await load("queue", found);
  refuseUnless(() => exportedFunction(module, "createConsumer", found.ref.path), "queue");
  refuseUnless(() => exportedFunction(module, "createProducer", found.ref.path), "queue");
  refuseMissing("queue", found, (module as { packages?: NeededPackage[] }).packages ?? []);
}

/** The queue that a lock goes with: for a queue's own lock. */
export function queueOfLock({ entry }: FoundWorkload): string | undefined {
  return (entry as LockRegistryEntry | undefined)?.queue;
}

/** The orders of acknowledgement that are possible with a queue; with a user's own, both are. */
export function acknowledgements({ entry }: FoundWorkload): QueueRegistryEntry["ack"] {
  return (entry as QueueRegistryEntry | undefined)?.ack ?? ["inside", "after"];
}

export async function loadJob(found: FoundWorkload): Promise<Job> {
  const module = await load("job", found);
  const { job } = module as { job?: Job };
  if (typeof job?.perform === "function") return job;
  throw new UsageError(
    `--job ${found.ref.path}: a job module exports \`job\` with a function \`perform\`; this one exports ${exportsOf(module)}.`,
    { code: "BAD_MODULE" },
  );
}

function exportsOf(module: Record<string, unknown>): string {
  const names = Object.keys(module).filter((name) => name !== "default");
  return names.join(", ") || (module.default === null ? "null" : "nothing");
}

/** Refuses a user's module that would not come back from being loaded, or ends the process. @throws UsageError */
export async function refusePerilous(kind: WorkloadKind, found: FoundWorkload): Promise<void> {
  const { peril } = await trialOf(kind, found);
  if (peril !== undefined) throw new UsageError(`--${kind}: ${peril}`, { code: "BAD_MODULE" });
}

/** What a user's module does in a process of its own; those that ship need no trial. */
async function trialOf(kind: WorkloadKind, { ref, options, entry }: FoundWorkload): Promise<ModuleTrial> {
  if (entry !== undefined) return {};
  return tryModule(ref.path, kind === "lock" ? { lockOptions: options } : {});
}

async function load(kind: WorkloadKind, found: FoundWorkload): Promise<Record<string, unknown>> {
  const { ref, entry } = found;
  await refusePerilous(kind, found);
  try {
    return await loadModule(ref.path);
  } catch (error) {
    if (entry?.needsPackage !== undefined && isMissingPackage(error)) {
      throw new UnavailableError(
        `--${kind} ${ref.name} needs the package ${entry.needsPackage}: npm install --save-dev ${entry.needsPackage}`,
        { code: "MISSING_PACKAGE", cause: error },
      );
    }
    throw new UsageError(`--${kind}: ${messageOf(error)}`, { code: "BAD_MODULE", cause: error });
  }
}

/** Packages are loaded when the workload is made: that they are there is known before anything starts. */
function refuseMissing(kind: WorkloadKind, { ref }: FoundWorkload, packages: readonly NeededPackage[]): void {
  for (const needed of packages) {
    try {
      locatePackage(needed);
    } catch (error) {
      throw new UnavailableError(`--${kind} ${ref.name}: ${messageOf(error)}`, {
        code: "MISSING_PACKAGE",
        cause: error,
      });
    }
  }
}

function isMissingPackage(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: string };
    if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return true;
  }
  return false;
}

function refuseUnless(check: () => unknown, kind: WorkloadKind): void {
  try {
    check();
  } catch (error) {
    throw new UsageError(`--${kind}: ${messageOf(error)}.`, { code: "BAD_MODULE", cause: error });
  }
}

const builtIn = ({ name, module }: RegistryEntry): ModuleRef => ({ name, path: builtFile(`workloads/${module}.js`) });
