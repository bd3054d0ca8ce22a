import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, found from where the running code lies: the sources, or the built files. */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  const manifest = join(from, "package.json");
  if (existsSync(manifest) && nameIn(manifest) === "holdfast") return from;
  const above = dirname(from);
  if (above === from) throw new Error("The package.json of holdfast was not found above its own code.");
  return packageRoot(above);
}

/** Path of a built file, such as `harness/supervisor/entry.js`. Child processes are started from there. */
export function builtFile(path: string): string {
  return join(packageRoot(), "dist", path);
}

function nameIn(manifest: string): unknown {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { name?: unknown }).name;
}
