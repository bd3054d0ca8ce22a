import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { NeededPackage } from "../harness/contracts/module-ref.ts";

/** A package, or one file of it. */
export interface WantedPackage extends NeededPackage {
  /** A file inside the package, for what its main module does not export: `/dist/als.js`. */
  file?: string;
}

/** A package is not installed, or only in another major version. The message says which to install. */
export class MissingPackageError extends Error {
  readonly code = "MISSING_PACKAGE";
  override readonly name = "MissingPackageError";
}

/**
 * Loads a package when it is asked for: from beside holdfast, else from the working directory.
 * @returns what the package exports
 * @throws MissingPackageError
 */
export function loadPackage<Exports>(wanted: WantedPackage, from?: readonly string[]): Exports {
  const path = locatePackage(wanted, from);
  return createRequire(path)(path) as Exports;
}

/**
 * Loads the ES module that a package offers to bundlers, for those whose other build is slower; else what `require` gives.
 * @throws MissingPackageError
 */
export async function importPackage<Exports>(wanted: NeededPackage, from?: readonly string[]): Promise<Exports> {
  const path = locatePackage(wanted, from);
  const { folder, manifest } = manifestAbove(wanted.name, path) ?? {};
  const file = folder !== undefined && manifest?.module !== undefined ? join(folder, manifest.module) : path;
  return (await import(pathToFileURL(file).href)) as Exports;
}

/**
 * Finds a package without loading it.
 * @returns the file that would be loaded
 * @throws MissingPackageError
 */
export function locatePackage(wanted: WantedPackage, from: readonly string[] = searchedFrom()): string {
  let other: string | undefined;
  for (const base of from) {
    const require = createRequire(base);
    for (const specifier of [wanted.alias, wanted.name]) {
      const path = specifier && resolve(require, `${specifier}${wanted.file ?? ""}`);
      if (!path) continue;
      const version = versionOf(wanted.name, path);
      if (version && majorOf(version) === majorOf(wanted.version)) return path;
      other ??= version;
    }
  }
  throw new MissingPackageError(message(wanted, other));
}

const searchedFrom = () => [import.meta.url, pathToFileURL(join(process.cwd(), "package.json")).href];

function resolve(require: NodeJS.Require, specifier: string): string | undefined {
  return tryResolve(require, specifier) ?? mainFile(require, specifier);
}

function tryResolve(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
}

/** Some packages export sources that they do not ship, under the condition `development`: then their `main` serves. */
function mainFile(require: NodeJS.Require, specifier: string): string | undefined {
  const manifest = tryResolve(require, `${specifier}/package.json`);
  if (!manifest) return undefined;
  const { main } = JSON.parse(readFileSync(manifest, "utf8")) as { main?: string };
  const file = main && join(dirname(manifest), main);
  return file && existsSync(file) ? file : undefined;
}

interface Manifest {
  name?: string;
  version?: string;
  module?: string;
}

const versionOf = (name: string, file: string) => manifestAbove(name, file)?.manifest.version?.replace(/^v/, "");

/** The package.json above the file that bears the package's own name. */
function manifestAbove(name: string, file: string): { folder: string; manifest: Manifest } | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    if (manifest.name === name) return { folder, manifest };
  }
  return undefined;
}

const majorOf = (version: string) => version.split(".")[0];

function message({ name, version, alias }: WantedPackage, other: string | undefined): string {
  if (other === undefined) return `${name} is not installed. Install it with: npm install ${name}@${version}`;
  const install = alias ? `${alias}@npm:${name}@${version}` : `${name}@${version}`;
  return `${name} ${other} is installed, but version ${majorOf(version)} is needed. Install it with: npm install ${install}`;
}
