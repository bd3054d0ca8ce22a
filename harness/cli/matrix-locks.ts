import { lockRegistry } from "../../workloads/locks/registry.ts";
import type { LockRegistryEntry } from "../contracts/module-ref.ts";
import { UnavailableError } from "../errors.ts";
import { armName } from "../lock/plan/arms.ts";
import { type MatrixLock, plainCapabilities } from "../matrix/cell.ts";
import { findWorkload, loadLock } from "./workloads.ts";

/**
 * The locks of a matrix, each loaded far enough to know what it can do. Without names it is every lock that ships; of
 * those, one whose package is not installed is told and left out, while one that was named is an error.
 */
export async function findMatrixLocks(texts: readonly string[], folder: string): Promise<MatrixLock[]> {
  const named = texts.length > 0;
  const all = lockRegistry.filter(({ family }) => family !== "control").map(({ name }) => name);
  return await Promise.all((named ? texts : all).map((text) => findMatrixLock(text, folder, named)));
}

async function findMatrixLock(text: string, folder: string, named: boolean): Promise<MatrixLock> {
  const found = findWorkload("lock", text, folder);
  const entry = found.entry as LockRegistryEntry | undefined;
  const module = { ...found.ref, options: found.options };
  const lock: MatrixLock = {
    text: entry ? text : text.replace(/^[^(]+/, found.ref.path),
    name: armName(module),
    summary: entry?.summary ?? `A lock of your own: ${found.ref.path}`,
    family: entry?.family ?? "own",
    capabilities: plainCapabilities,
    ...(entry?.queue === undefined ? {} : { queue: entry.queue }),
    module,
  };
  try {
    const { capabilities } = await loadLock(found);
    return capabilities === undefined ? lock : { ...lock, capabilities };
  } catch (error) {
    if (named || !(error instanceof UnavailableError)) throw error;
    return {
      ...lock,
      missing: `it needs ${entry?.needsPackage ?? "a package that is not installed"}, which is not installed`,
    };
  }
}
