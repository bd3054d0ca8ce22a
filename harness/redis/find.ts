import { join } from "node:path";
import { cacheFolder } from "../cache-folder.ts";
import { messageOf, UnavailableError, UsageError } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import { hasApt } from "./apt.ts";
import { findContainer } from "./container.ts";
import { type FindSystem, thisMachine } from "./find-system.ts";
import { notFoundMessage } from "./how-to-get.ts";
import type { RedisInstallation } from "./installation.ts";
import { findPrivateCopy, makePrivateCopy, type PrivateCopyOptions } from "./private-copy.ts";
import { inspectServer, onPath, SERVER_NAMES } from "./programs.ts";
import { isAccepted, OLDEST_VERSION } from "./version.ts";

export interface FindRedisOptions {
  /** `--redis-bin`: a server's binary, or the folder that holds it. Absent: HARNESS_REDIS_BIN counts. */
  redisBin?: string | undefined;
  /** `docker`: in containers, whatever else there is. */
  runtime?: "process" | "docker" | undefined;
  /** Told one line at a time when something takes long. */
  onProgress?: ((line: string) => void) | undefined;
  /** Sees to it that a download does not outlive the harness. */
  supervisor?: Supervisor | undefined;
  system?: FindSystem;
  cache?: string;
}

/**
 * Finds a Redis to run: the one named; `redis-server` or `valkey-server` on PATH; a private copy fetched earlier; on
 * Debian and Ubuntu a private copy fetched now; a container engine.
 *
 * @throws UsageError when the one that was named is none
 * @throws UnavailableError when there is none, or the one that was named is too old: with how to get one
 */
export async function findRedis(options: FindRedisOptions = {}): Promise<RedisInstallation> {
  const { onProgress, supervisor, system = thisMachine(supervisor) } = options;
  if (options.runtime === "docker") return await findEngine(options, system);
  const named = options.redisBin || system.env.HARNESS_REDIS_BIN;
  if (named) return findNamed(system, named);

  const tried: string[] = [];
  const onPathFound = await findOnPath(system, tried);
  if (onPathFound) return onPathFound;

  const copy: PrivateCopyOptions = { system, cache: options.cache ?? cacheFolder(system.env), onProgress, supervisor };
  const earlier = await findPrivateCopy(copy);
  if (earlier) return earlier;

  if (hasApt(system)) {
    onProgress?.(`No Redis on PATH: fetching a private copy from this system's packages, once, into ${copy.cache}`);
    try {
      return await makePrivateCopy(copy);
    } catch (error) {
      tried.push(`a private copy from this system's packages: ${messageOf(error)}`);
    }
  } else {
    tried.push("a private copy from this system's packages: only on Debian and Ubuntu");
  }

  const container = await findContainer(system, copy.cache, onProgress);
  if (typeof container !== "string") return container;
  tried.push(`a container: ${container}`);
  throw new UnavailableError(notFoundMessage(tried), { code: "NO_REDIS" });
}

async function findEngine(options: FindRedisOptions, system: FindSystem): Promise<RedisInstallation> {
  const container = await findContainer(system, options.cache ?? cacheFolder(system.env), options.onProgress);
  if (typeof container !== "string") return container;
  throw new UnavailableError(
    `--runtime docker: ${container}. Install Docker or Podman and start it, or leave the option out: servers then run as processes.`,
    { code: "NO_ENGINE" },
  );
}

async function findNamed(system: FindSystem, named: string): Promise<RedisInstallation> {
  const how = named === system.env.HARNESS_REDIS_BIN ? "environment" : "flag";
  const source = how === "flag" ? "--redis-bin" : "HARNESS_REDIS_BIN";
  const candidates = system.isFolder(named) ? SERVER_NAMES.map((name) => join(named, name)) : [named];
  const server = candidates.find((path) => system.isExecutable(path));
  if (!server) {
    const wanted = candidates.length > 1 ? `holds neither ${SERVER_NAMES.join(" nor ")}` : "is not an executable file";
    throw new UsageError(
      `${source} ${named} ${wanted}. Give the path of a redis-server, or of the folder it lies in.`,
      {
        code: "BAD_REDIS_BIN",
      },
    );
  }
  const found = await inspectServer(system, server, how);
  if (typeof found === "string") throw new UsageError(`${source}: ${found}.`, { code: "BAD_REDIS_BIN" });
  if (!isAccepted(found.version)) {
    throw new UnavailableError(
      `${source} ${server} is version ${found.version}; ${OLDEST_VERSION} or later is needed. Without ${source} the harness looks for another one.`,
      { code: "REDIS_TOO_OLD" },
    );
  }
  return found;
}

async function findOnPath(system: FindSystem, tried: string[]): Promise<RedisInstallation | undefined> {
  for (const name of SERVER_NAMES) {
    const server = onPath(system, name);
    if (!server) continue;
    const found = await inspectServer(system, server, "path");
    if (typeof found !== "string" && isAccepted(found.version)) return found;
    tried.push(typeof found === "string" ? found : `${server} is version ${found.version}, too old`);
  }
  if (tried.length === 0) tried.push(`${SERVER_NAMES.join(" and ")}: not on PATH`);
  return undefined;
}
