import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { messageOf, UnavailableError } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import { adminClient } from "./admin-client.ts";
import { freePort } from "./free-port.ts";
import type { RedisInstallation } from "./installation.ts";
import { type Directives, directiveLines, serverConfig } from "./server-config.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface RedisServerOptions {
  redis: RedisInstallation;
  supervisor: Supervisor;
  /** The run's temporary folder: the server gets one of its own in it. */
  folder: string;
  /** Unique within the run: `node:1`, `witness`. */
  name: string;
  /** Absent: nothing is kept on disk. */
  persistence?: "none" | "aof";
  /** Address that its own connections come from, by which the proxy knows it: `127.0.2.1`. */
  sourceAddress?: string | undefined;
  /** Asked of every client. */
  password?: string;
  /** Runs it as a sentinel. */
  sentinel?: boolean;
  /** Further directives of redis.conf; they win. */
  config?: Directives;
  /** Further environment, such as LD_PRELOAD for a faked clock. */
  env?: Readonly<Record<string, string>>;
}

/** What may differ from one life of a server to the next. */
export interface LifeChanges {
  /** Further directives, from then on. */
  config?: Directives;
  /** Further environment, in that life only. */
  env?: Readonly<Record<string, string>>;
}

export const HOST = "127.0.0.1";
const READY_TIMEOUT_MS = 30_000;
const MOST_ATTEMPTS = 10;
const ADDRESS_IN_USE = /address already in use/i;

/** The first life of a server, on a port that nobody else has. */
export interface FirstLife {
  process: ServerProcess;
  admin: Redis;
  port: number;
}

export async function startOnFreePort(options: RedisServerOptions, folder: string): Promise<FirstLife> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(HOST);
    writeConfig(options, folder, port);
    const process = launch(options, folder, port);
    const { password } = options;
    const admin = adminClient({ host: HOST, port, ...(password === undefined ? {} : { password }) });
    try {
      await untilReady(process, admin, folder);
      return { process, admin, port };
    } catch (error) {
      admin.disconnect();
      if (process.alive) await process.signal("SIGKILL");
      if (ADDRESS_IN_USE.test(tail(folder, 5)) && attempt < MOST_ATTEMPTS) {
        rmSync(join(folder, "log"));
        continue;
      }
      throw failedToStart(options.name, folder, error);
    }
  }
}

/** A later life, on the same port. That may be held for a moment by a connection of its former life. */
export async function startAgain(
  options: RedisServerOptions,
  folder: string,
  port: number,
  admin: Redis,
  changes: LifeChanges,
): Promise<ServerProcess> {
  // The file stays as the server, or a sentinel, may have rewritten it.
  changeConfig(folder, changes.config);
  for (let attempt = 1; ; attempt++) {
    rmSync(join(folder, "log"), { force: true });
    const process = launch(options, folder, port, changes);
    try {
      await untilReady(process, admin, folder);
      return process;
    } catch (error) {
      if (process.alive) await process.signal("SIGKILL");
      if (!ADDRESS_IN_USE.test(tail(folder, 5)) || attempt >= MOST_ATTEMPTS)
        throw failedToStart(options.name, folder, error);
      await sleep(100 * attempt);
    }
  }
}

/** Directives that repeat one of the file win over it. */
function changeConfig(folder: string, config: Directives = {}): void {
  appendFileSync(configFile(folder), `\n${directiveLines(config)}`);
}

function writeConfig(options: RedisServerOptions, folder: string, port: number): void {
  const { redis, persistence = "none", sourceAddress, password, sentinel = false, config = {} } = options;
  const published = redis.container?.network === "published";
  const content = { port, folder, persistence, sourceAddress, password, sentinel, published, config };
  writeFileSync(configFile(folder), serverConfig({ version: redis.version, ...content }), { mode: 0o600 });
}

function launch(
  { redis, supervisor, sentinel, env }: RedisServerOptions,
  folder: string,
  port: number,
  changes: LifeChanges = {},
): ServerProcess {
  return startServerProcess({
    redis,
    supervisor,
    args: [configFile(folder), ...(sentinel ? ["--sentinel"] : [])],
    folder,
    port,
    logFile: join(folder, "log"),
    env: { ...env, ...changes.env },
  });
}

const configFile = (folder: string) => join(folder, "redis.conf");

/** Answers, has loaded its data, and is the process that was started: another's server may have been faster on the port. */
async function untilReady(process: ServerProcess, admin: Redis, folder: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const ended = process.exited.then(({ code, signal }) => {
    throw new Error(`it ended with ${signal ?? `exit code ${code}`}`);
  });
  ended.catch(() => {});
  for (;;) {
    const info = await Promise.race([ended, admin.info("server").catch(messageOf)]);
    if (info.includes(`config_file:${configFile(folder)}`) && isThisLife(info, process)) return;
    if (performance.now() > deadline)
      throw new Error(`it did not answer within ${READY_TIMEOUT_MS / 1000} s (${info})`);
    await Promise.race([ended, sleep(10)]);
  }
}

function isThisLife(info: string, { pid }: ServerProcess): boolean {
  return pid === undefined || info.includes(`process_id:${pid}\r\n`);
}

function failedToStart(name: string, folder: string, error: unknown): UnavailableError {
  const log = tail(folder, 15);
  return new UnavailableError(
    `The Redis server ${name} did not come up: ${messageOf(error)}.${log ? ` The end of its log:\n${log}` : ""}`,
    { code: "REDIS_DID_NOT_START", cause: error },
  );
}

/** The last lines of a server's log, over all its lives since the last restart. */
export function tail(folder: string, lines: number): string {
  try {
    return readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    return "";
  }
}
