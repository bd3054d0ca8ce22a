import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder.ts";
import { messageOf, UnavailableError } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import { createApt, hasApt } from "./apt.ts";
import { type FindSystem, thisMachine } from "./find-system.ts";
import type { RedisInstallation } from "./installation.ts";

const LIBRARY = "libfaketime.so.1";
/** In a server's working folder: what libfaketime reads before every look at the clock. */
export const CLOCK_FILE = "faketime";

export interface FindFaketimeOptions {
  onProgress?: ((line: string) => void) | undefined;
  supervisor?: Supervisor | undefined;
  system?: FindSystem;
  cache?: string;
}

/**
 * The environment in which a server's wall clock can be moved while it runs. libfaketime is preloaded before libc: the
 * plain way ends in a clash with jemalloc. Its file is named relative to the server's working folder.
 * @throws UnavailableError with how to get libfaketime
 */
export async function faketimeEnvironment(
  redis: RedisInstallation,
  options: FindFaketimeOptions = {},
): Promise<Record<string, string>> {
  const { system = thisMachine(options.supervisor) } = options;
  const unavailable = (why: string) =>
    new UnavailableError(
      `The fault redis-faketime needs libfaketime: ${why}. Get it with: sudo apt-get install libfaketime ` +
        "(Fedora: sudo dnf install libfaketime), or use redis-clock, which moves the keys of a server instead of its clock.",
      { code: "NO_FAKETIME" },
    );
  if (system.platform !== "linux" || redis.container) {
    throw unavailable("a server's clock can be moved only on Linux, and not in a container");
  }
  const libc = await libcOf(redis, system);
  if (libc === undefined) throw unavailable(`${redis.server} does not use glibc`);
  try {
    const library = installed() ?? (await privateCopy({ ...options, system }));
    return {
      LD_PRELOAD: `${library}:${libc}`,
      FAKETIME_TIMESTAMP_FILE: CLOCK_FILE,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  } catch (error) {
    throw unavailable(messageOf(error));
  }
}

async function libcOf({ server, env }: RedisInstallation, system: FindSystem): Promise<string | undefined> {
  const { stdout } = await system.run("ldd", [server], { env: { ...system.env, ...env } });
  return /^\s*libc\.so\.6 => (\S+)/m.exec(stdout)?.[1];
}

/** Where the packages of the usual distributions put it. */
function installed(): string | undefined {
  const folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].flatMap((folder) =>
    existsSync(folder) ? [folder, ...readdirSync(folder).map((name) => join(folder, name))] : [],
  );
  return folders.map((folder) => join(folder, "faketime", LIBRARY)).find((path) => existsSync(path));
}

/** From Debian's package, without root; kept for later runs. */
async function privateCopy({
  system,
  cache = cacheFolder(system.env),
  onProgress,
  supervisor,
}: FindFaketimeOptions & { system: FindSystem }): Promise<string> {
  const folder = join(cache, "faketime", system.architecture);
  const earlier = below(folder);
  if (earlier !== undefined) return earlier;
  if (!hasApt(system)) throw new Error("it is not installed, and can be fetched only on Debian and Ubuntu");
  onProgress?.(`No libfaketime is installed: fetching a private copy, once, into ${cache}`);
  const fresh = `${folder}.making-${process.pid}`;
  supervisor?.ownFolder(fresh);
  try {
    mkdirSync(join(fresh, "packages"), { recursive: true, mode: 0o700 });
    const apt = createApt(system, join(fresh, "apt"));
    let downloaded = await apt.download(["libfaketime"], join(fresh, "packages"));
    if (downloaded.exitCode !== 0) {
      await apt.updatePrivately();
      downloaded = await apt.download(["libfaketime"], join(fresh, "packages"));
    }
    const [file] = readdirSync(join(fresh, "packages")).filter((name) => name.endsWith(".deb"));
    if (downloaded.exitCode !== 0 || file === undefined) {
      throw new Error(`apt-get download libfaketime ended with exit code ${downloaded.exitCode}`);
    }
    await apt.unpack(join(fresh, "packages", file), join(fresh, "root"));
    for (const used of ["apt", "packages"]) rmSync(join(fresh, used), { recursive: true, force: true });
    // Another harness may have been first: its copy is as good.
    if (below(folder) === undefined) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    supervisor?.disownFolder(fresh);
  }
  const library = below(folder);
  if (library === undefined) throw new Error(`the package libfaketime holds no ${LIBRARY}`);
  return library;
}

function below(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(`/${LIBRARY}`));
  return found === undefined ? undefined : join(folder, found);
}
