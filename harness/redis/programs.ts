import { basename, delimiter, dirname, join } from "node:path";
import type { FindSystem } from "./find-system.ts";
import type { FoundHow, RedisInstallation } from "./installation.ts";
import { parseVersionOutput } from "./version.ts";

/** Names of the server's binary, in the order of preference. */
export const SERVER_NAMES = ["redis-server", "valkey-server"] as const;

/** Asks a server's binary what it is; a string says why it is of no use. */
export async function inspectServer(
  system: FindSystem,
  server: string,
  how: FoundHow,
  env: Readonly<Record<string, string>> = {},
): Promise<RedisInstallation | string> {
  const { exitCode, stdout, stderr } = await system.run(server, ["--version"], { env: { ...system.env, ...env } });
  const found = parseVersionOutput(stdout);
  if (!found) {
    const said = (stderr || stdout).trim().split("\n")[0];
    return `${server} --version does not answer like a Redis server (exit code ${exitCode}${said ? `: ${said}` : ""})`;
  }
  return {
    how,
    ...found,
    server,
    cli: sibling(system, server, "cli"),
    benchmark: sibling(system, server, "benchmark"),
    env,
  };
}

/** The full path of a program on PATH. */
export function onPath(system: FindSystem, name: string): string | undefined {
  return (system.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => system.isExecutable(path));
}

/** redis-cli of a redis-server: beside it, else on PATH. */
function sibling(system: FindSystem, server: string, program: string): string | undefined {
  const family = basename(server).startsWith("valkey") ? "valkey" : "redis";
  const beside = join(dirname(server), `${family}-${program}`);
  if (system.isExecutable(beside)) return beside;
  return onPath(system, `redis-${program}`) ?? onPath(system, `valkey-${program}`);
}
