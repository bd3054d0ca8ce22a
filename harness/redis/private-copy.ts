import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import { createApt } from "./apt.ts";
import { fetchPrograms } from "./fetch-programs.ts";
import type { FindSystem } from "./find-system.ts";
import type { FoundHow, RedisInstallation } from "./installation.ts";
import { inspectServer } from "./programs.ts";

const MANIFEST = "holdfast.json";

/** Paths are below the copy's folder, which may be moved. */
const manifestSchema = z.object({
  server: z.string(),
  libraries: z.array(z.string()),
  packages: z.array(z.string()),
});

export interface PrivateCopyOptions {
  system: FindSystem;
  /** Folder that later runs find it in. */
  cache: string;
  onProgress?: ((line: string) => void) | undefined;
  supervisor?: Pick<Supervisor, "ownFolder" | "disownFolder"> | undefined;
}

/** The private copy of an earlier run, if it still works. */
export async function findPrivateCopy(options: PrivateCopyOptions): Promise<RedisInstallation | undefined> {
  const found = await openCopy(options.system, copyFolder(options), "private copy");
  return typeof found === "string" ? undefined : found;
}

/**
 * Makes a private copy from Debian's packages, without root. It is made beside its place and moved there whole: neither
 * a kill in the middle nor a second harness at the same time leaves half a copy.
 * @throws Error that says which step failed
 */
export async function makePrivateCopy(options: PrivateCopyOptions): Promise<RedisInstallation> {
  const { system, onProgress, supervisor } = options;
  const folder = copyFolder(options);
  const fresh = `${folder}.making-${process.pid}-${randomBytes(4).toString("hex")}`;
  supervisor?.ownFolder(fresh);
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  removeAbandoned(folder);
  try {
    const programs = await fetchPrograms(system, createApt(system, join(fresh, "apt")), fresh, onProgress);
    for (const used of ["apt", "packages"]) rmSync(join(fresh, used), { recursive: true, force: true });
    writeFileSync(join(fresh, MANIFEST), `${JSON.stringify(programs, null, 2)}\n`);
    const trial = await openCopy(system, fresh, "private copy made now");
    if (typeof trial === "string") throw new Error(trial);
    await moveIntoPlace(system, fresh, folder);
    const found = await openCopy(system, folder, "private copy made now");
    if (typeof found === "string") throw new Error(found);
    return found;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    supervisor?.disownFolder(fresh);
  }
}

/** One copy per system release: a copy needs that system's own libraries. */
function copyFolder({ system, cache }: PrivateCopyOptions): string {
  const release = system.osRelease();
  const field = (name: string) => new RegExp(`^${name}="?([\\w.-]+)`, "m").exec(release)?.[1] ?? "unknown";
  return join(cache, "redis", `${field("ID")}-${field("VERSION_ID")}-${system.architecture}`);
}

async function openCopy(system: FindSystem, folder: string, how: FoundHow): Promise<RedisInstallation | string> {
  let manifest: z.infer<typeof manifestSchema>;
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")));
  } catch (error) {
    return `${folder} holds no private copy: ${messageOf(error)}`;
  }
  const libraries = manifest.libraries.map((path) => join(folder, path)).join(":");
  return inspectServer(system, join(folder, manifest.server), how, { LD_LIBRARY_PATH: libraries });
}

async function moveIntoPlace(system: FindSystem, fresh: string, folder: string): Promise<void> {
  try {
    renameSync(fresh, folder);
  } catch {
    // Another harness was first, or a copy that no longer works is in the way.
    if (typeof (await openCopy(system, folder, "private copy")) !== "string") return;
    const broken = `${fresh}-broken`;
    renameSync(folder, broken);
    rmSync(broken, { recursive: true, force: true });
    renameSync(fresh, folder);
  }
}

/** Removes what a killed harness left unfinished. */
function removeAbandoned(folder: string): void {
  const parent = join(folder, "..");
  for (const name of readdirSync(parent)) {
    const pid = Number(/\.making-(\d+)-/.exec(name)?.[1]);
    if (pid && pid !== process.pid && !exists(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
