import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { lastingCacheFolder } from "./cache-folder.ts";
import { messageOf } from "./errors.ts";
import { builtFile } from "./package-root.ts";
import { placeOfError } from "./place-of-error.ts";

const NOT_LOADED = " could not be loaded: ";

/** What an error of `loadModule` says, without the path, for a message that has named the file already. */
export function reasonNotLoaded(error: unknown, path: string): string {
  return messageOf(error).replace(`${path}${NOT_LOADED}`, "");
}

/**
 * Loads a workload by its path: a built module by plain import, a user's TypeScript or CommonJS through jiti.
 * Gives the module's exports with those of its default export mixed in, since either form is a fine way to export.
 * @throws Error that names the file and what went wrong in it
 */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  let loaded: Record<string, unknown>;
  try {
    loaded = exportsOf(await (/\.m?js$/.test(path) ? import(pathToFileURL(path).href) : importTypeScript(path)));
  } catch (error) {
    const place = messageOf(error).includes(`${path}:`) ? undefined : placeOfError(error, path);
    const where = place === undefined ? "" : ` (${place})`;
    throw new Error(`${path}${NOT_LOADED}${messageOf(error)}${where}`, { cause: error });
  }
  const inner = loaded.default;
  return typeof inner === "object" && inner !== null ? { ...inner, ...loaded } : { ...loaded };
}

/**
 * Loaded only for the files that need it: it costs more time than all else that a worker loads. A file may import
 * holdfast wherever this package lies: installed beside it, globally, or run by npx.
 */
async function importTypeScript(path: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const alias = { holdfast: builtFile("harness/cli/library.js") };
  try {
    return await createJiti(import.meta.url, { alias, fsCache: translations() }).import(path);
  } catch (error) {
    // What jiti makes of a default export of null or undefined: it looks into it.
    if (!/^Cannot read properties of (null|undefined) \(reading 'then'\)$/.test(messageOf(error))) throw error;
    throw new Error(`its default export is ${/null/.test(messageOf(error)) ? "null" : "undefined"}`, { cause: error });
  }
}

/**
 * Where translated files are kept: to translate one again costs each process 140 ms. By itself jiti would take a folder in
 * the temporary one that stays there, and that any user could have made.
 */
function translations(): string | false {
  const cache = lastingCacheFolder();
  return cache === undefined ? false : join(cache, "modules");
}

/** A CommonJS module may export anything, null too: that is no set of names. */
function exportsOf(loaded: unknown): Record<string, unknown> {
  return typeof loaded === "object" && loaded !== null ? (loaded as Record<string, unknown>) : { default: loaded };
}

/**
 * The function exported under `name`.
 * @throws Error that says what the file exports instead
 */
export function exportedFunction<Fn>(module: Record<string, unknown>, name: string, path: string): Fn {
  const value = module[name];
  if (typeof value === "function") return value as Fn;
  const names = Object.keys(module).filter((key) => key !== "default");
  const exported = module.default === null ? "null" : names.length === 0 ? "nothing" : names.join(", ");
  throw new Error(
    `${path} must export a function \`${name}\`, by name or within its default export; it exports ${exported}`,
  );
}
