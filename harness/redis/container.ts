import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FindSystem } from "./find-system.ts";
import type { RedisContainer, RedisInstallation } from "./installation.ts";
import { onPath } from "./programs.ts";
import { parseVersionOutput } from "./version.ts";

const ENGINES = ["docker", "podman"] as const;
const IMAGE = "docker.io/library/redis:7.2";
const ANSWER_TIMEOUT_MS = 5_000;
const PULL_TIMEOUT_MS = 300_000;

/** Arguments of `docker` that run one of the image's programs. */
export interface ContainerRun {
  container: RedisContainer;
  /** User and group id that files are made with; absent where the engine's virtual machine sees to that. */
  user?: string | undefined;
  /** Name of the container; absent: the engine makes one up. */
  name?: string;
  /** A folder of this machine, seen under the same path inside. */
  folder?: string;
  /** Port to publish on 127.0.0.1, where the network is not this machine's own. */
  port?: number;
  env?: Readonly<Record<string, string>>;
  program: readonly string[];
}

export function containerArguments(run: ContainerRun): string[] {
  const { container, user, name, folder, port, env = {}, program } = run;
  const published = container.network === "published" && port !== undefined;
  return [
    "run",
    "--rm",
    "--interactive",
    ...(name === undefined ? [] : ["--name", name]),
    ...(container.network === "host" ? ["--network", "host"] : []),
    ...(published ? ["--publish", `127.0.0.1:${port}:${port}`] : []),
    ...(user === undefined ? [] : ["--user", user]),
    ...(folder === undefined ? [] : ["--volume", `${folder}:${folder}`, "--workdir", folder]),
    ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    container.image,
    ...program,
  ];
}

/**
 * A container engine that answers, with its programs as small scripts in the cache folder. The image is fetched if it
 * is not there. A string says why there is none.
 */
export async function findContainer(
  system: FindSystem,
  cache: string,
  onProgress: (line: string) => void = () => {},
): Promise<RedisInstallation | string> {
  const reasons: string[] = [];
  for (const name of ENGINES) {
    const engine = onPath(system, name);
    if (!engine) continue;
    const answer = await system.run(engine, ["version", "--format", "{{.Server.Version}}"], {
      timeoutMs: ANSWER_TIMEOUT_MS,
    });
    if (answer.exitCode !== 0) {
      reasons.push(`${name} does not answer`);
      continue;
    }
    const container: RedisContainer = {
      engine,
      image: IMAGE,
      network: system.platform === "linux" ? "host" : "published",
    };
    onProgress(`Using ${name} with the image ${IMAGE} (fetched now if it is not there)`);
    const version = await imageVersion(system, container);
    if (typeof version === "string") reasons.push(`${name}: ${version}`);
    else return { how: "container", ...version, ...writeWrappers(system, container, cache), env: {}, container };
  }
  return reasons.join("; ") || "no container engine (docker, podman) on PATH";
}

async function imageVersion(system: FindSystem, container: RedisContainer) {
  const run = containerArguments({ container, program: ["redis-server", "--version"] });
  const { stdout, stderr } = await system.run(container.engine, run, { timeoutMs: PULL_TIMEOUT_MS });
  return parseVersionOutput(stdout) ?? (stderr.trim().split("\n").at(-1) || "its image does not run");
}

/** Scripts that stand for the image's programs, so that everyone can start them by a path. */
function writeWrappers(system: FindSystem, container: RedisContainer, cache: string) {
  const folder = join(cache, "container");
  mkdirSync(folder, { recursive: true });
  const write = (program: string) => {
    const path = join(folder, program);
    const words = [container.engine, ...containerArguments({ container, user: userOf(system), program: [program] })];
    writeFileSync(path, `#!/bin/sh\nexec ${words.map(quote).join(" ")} "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return { server: write("redis-server"), cli: write("redis-cli"), benchmark: write("redis-benchmark") };
}

/** `uid:gid` that a container's files should belong to. */
export function userOf({ platform, uid, gid }: Pick<FindSystem, "platform" | "uid" | "gid">): string | undefined {
  return platform === "linux" && uid !== undefined ? `${uid}:${gid}` : undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
