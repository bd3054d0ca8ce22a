import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Names of the shared libraries that `ldd` did not find, such as `libjemalloc.so.2`. */
export function missingLibraries(lddOutput: string): string[] {
  const names = [...lddOutput.matchAll(/^\s*(\S+)\s+=>\s+not found/gm)].map(([, name]) => name as string);
  return [...new Set(names)];
}

/**
 * Names that the Debian package of a shared library may have, by Debian's policy (8.1): the library's name and version,
 * with a hyphen between two digits. `t64` marks packages rebuilt for 64-bit times.
 */
export function packagesOfLibrary(soname: string): string[] {
  const [, stem, , version = ""] = /^(.+?)\.so(\.(.+))?$/.exec(soname) ?? [];
  if (!stem) return [];
  const base = stem.toLowerCase().replaceAll("_", "-");
  const name = /\d$/.test(base) && version !== "" ? `${base}-${version}` : `${base}${version}`;
  return [name, `${name}t64`];
}

/** Every folder below `root` that holds shared libraries, for LD_LIBRARY_PATH. */
export function libraryFolders(root: string): string[] {
  const folders = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.so(\.|$)/.test(entry.name))
    .map((entry) => entry.parentPath);
  return [...new Set(folders)].sort().map((folder) => join(folder));
}
