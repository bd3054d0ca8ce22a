import { nearestName } from "../../config/nearest.ts";
import type { CrdtAdapter, CrdtModule } from "../../contracts/crdt-adapter.ts";
import { HarnessError, UnavailableError, UsageError } from "../../errors.ts";
import { exportedFunction, loadModule, reasonNotLoaded } from "../../load-module.ts";
import { checkAdapter } from "./check-adapter.ts";
import type { CrdtRef } from "./crdt-ref.ts";

/**
 * Loads a CRDT's module and has it create its adapter.
 * @throws UsageError when the module cannot be loaded, or gives no adapter
 * @throws UnavailableError when a package that it imports is not installed
 */
export async function loadAdapter(ref: CrdtRef): Promise<CrdtAdapter> {
  const { create, takes } = await loadCreate(ref);
  refuseUnknownOptions(ref, takes);
  let adapter: unknown;
  try {
    adapter = await create(ref.options ?? {});
  } catch (error) {
    throw failure(ref, error, "createAdapter failed");
  }
  return checkAdapter(adapter, ref.path);
}

interface Loaded {
  create: CrdtModule["createAdapter"];
  /** Names of its options; undefined where it does not say. */
  takes: readonly string[] | undefined;
}

async function loadCreate(ref: CrdtRef): Promise<Loaded> {
  try {
    const module = await loadModule(ref.path);
    const create = exportedFunction<CrdtModule["createAdapter"]>(module, "createAdapter", ref.path);
    const { adapterOptions } = module as Partial<CrdtModule>;
    const declared =
      typeof adapterOptions === "object" && adapterOptions !== null ? Object.keys(adapterOptions) : undefined;
    return { create, takes: declared ?? (hasNoParameter(create) ? [] : undefined) };
  } catch (error) {
    throw failure(ref, error, "it could not be loaded");
  }
}

/** By its text: `length` does not count a parameter with a default. */
const hasNoParameter = (create: unknown): boolean =>
  /^(async\s+)?(function\b\s*)?[\w$]*\s*\(\s*\)/.test(Function.prototype.toString.call(create));

function refuseUnknownOptions({ name, argument, options = {} }: CrdtRef, takes: readonly string[] | undefined): void {
  const unknown = takes && Object.keys(options).find((key) => !takes.includes(key));
  if (takes === undefined || unknown === undefined) return;
  const what = takes.length === 0 ? "it takes none" : `it takes ${takes.join(", ")}`;
  const nearest = nearestName(unknown, takes);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new UsageError(`${argument ?? name} has no option "${unknown}" (--crdt-args): ${what}.${hint}`, {
    code: "UNKNOWN_OPTION",
  });
}

function failure(ref: CrdtRef, error: unknown, what: string): HarnessError {
  if (error instanceof HarnessError) return error;
  if (error instanceof Error && "code" in error && error.code === "MISSING_PACKAGE") {
    return new UnavailableError(`${ref.name}: ${error.message}`, { code: "MISSING_PACKAGE", cause: error });
  }
  const missing = missingPackage(error);
  if (missing !== undefined) {
    return new UnavailableError(
      `${ref.name} needs the package ${missing}, which is not installed. Try: npm install ${missing}`,
      {
        code: "MISSING_PACKAGE",
        cause: error,
      },
    );
  }
  return new UsageError(`The CRDT ${ref.name} (${ref.path}): ${what}: ${reasonNotLoaded(error, ref.path)}`, {
    code: "BAD_ADAPTER",
    cause: error,
  });
}

/** The name in "Cannot find package 'yjs' imported from ...", wherever in the chain of causes it stands. */
function missingPackage(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") continue;
    const name = /Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'][^/']*)/.exec(at.message)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
