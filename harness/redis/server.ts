import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { messageOf, UnavailableError } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import { adminClient, answers } from "./admin-client.ts";
import { freePort } from "./free-port.ts";
import type { RedisInstallation } from "./installation.ts";
import { type Directives, serverConfig } from "./server-config.ts";
import { type ServerExit, type ServerProcess, startServerProcess } from "./server-process.ts";

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

export interface RestartOptions {
  /** How long it stays away, ms. */
  delayMs?: number;
  /** Comes back without what it had kept on disk. */
  emptied?: boolean;
  /** Comes back with further directives, or another environment. */
  config?: Directives;
  env?: Readonly<Record<string, string>>;
}

/** A server that ended though nobody had asked it to. */
export interface UnplannedExit extends ServerExit {
  name: string;
  /** The last lines of its log. */
  log: string;
}

/** A Redis server of a run. */
export interface RedisServer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Of its present life; undefined in a container. */
  readonly pid: number | undefined;
  readonly version: string;
  /** Its working folder: `redis.conf`, `log`, `appendonlydir`. */
  readonly folder: string;
  /** A client past every proxy; it reconnects by itself after a restart. */
  readonly admin: Redis;
  /** True while its process exists, stopped or not. */
  readonly alive: boolean;
  /** Resolves if it ever ends without having been asked to; stays pending otherwise. */
  readonly unplannedExit: Promise<UnplannedExit>;
  ping(withinMs?: number): Promise<boolean>;
  /** SIGSTOP; resolves once it is seen stopped. */
  pause(): Promise<void>;
  /** SIGCONT; resolves once it answers again. */
  resume(): Promise<void>;
  /** SIGKILL; resolves once it is gone. What it had on disk stays. */
  kill(): Promise<void>;
  /** Kills it if it runs, and starts it again on its port; resolves once it answers. */
  restart(options?: RestartOptions): Promise<void>;
  /** Removes every key and every script. */
  flush(): Promise<void>;
  /** The end of it, however it is: resolves once it is gone. May be called again. */
  stop(): Promise<void>;
  /** The last lines of its log. */
  log(lines?: number): string;
}

const HOST = "127.0.0.1";
const READY_TIMEOUT_MS = 30_000;
const RESUME_TIMEOUT_MS = 10_000;
const MOST_PORTS = 10;
const ADDRESS_IN_USE = /address already in use/i;

/**
 * Starts a server on a free port of loopback and waits until it answers.
 * @throws UnavailableError with the last lines of its log when it does not come up
 */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  const folder = join(options.folder, options.name.replaceAll(":", "-"));
  mkdirSync(folder, { mode: 0o700 });
  const life = await startOnFreePort(options, folder);
  return serverHandle(options, folder, life);
}

interface Life {
  process: ServerProcess;
  admin: Redis;
  port: number;
}

async function startOnFreePort(options: RedisServerOptions, folder: string): Promise<Life> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(HOST);
    const process = launch(options, folder, port, {});
    const { password } = options;
    const admin = adminClient({ host: HOST, port, ...(password === undefined ? {} : { password }) });
    try {
      await untilReady(process, admin, folder);
      return { process, admin, port };
    } catch (error) {
      admin.disconnect();
      if (process.alive) await process.signal("SIGKILL");
      if (ADDRESS_IN_USE.test(tail(folder, 5)) && attempt < MOST_PORTS) {
        rmSync(join(folder, "log"));
        continue;
      }
      throw failedToStart(options.name, folder, error);
    }
  }
}

function serverHandle(options: RedisServerOptions, folder: string, { process, admin, port }: Life): RedisServer {
  const { name, redis } = options;
  let current = process;
  let planned: ServerProcess | undefined;
  let tellUnplanned: (exit: UnplannedExit) => void = () => {};
  const unplannedExit = new Promise<UnplannedExit>((resolve) => {
    tellUnplanned = resolve;
  });
  const watch = (life: ServerProcess) =>
    life.exited.then((exit) => {
      if (life !== planned) tellUnplanned({ name, ...exit, log: tail(folder, 20) });
    });
  watch(current);

  const server: RedisServer = {
    name,
    host: HOST,
    port,
    version: redis.version,
    folder,
    admin,
    unplannedExit,
    get pid() {
      return current.pid;
    },
    get alive() {
      return current.alive;
    },
    ping: (withinMs = 1_000) => answers(admin, withinMs),
    pause: () => current.signal("SIGSTOP"),
    async resume() {
      await current.signal("SIGCONT");
      if (!(await answers(admin, RESUME_TIMEOUT_MS))) {
        throw new Error(`${name} does not answer ${RESUME_TIMEOUT_MS / 1000} s after it was continued`);
      }
    },
    async kill() {
      planned = current;
      if (current.alive) await current.signal("SIGKILL");
    },
    async restart({ delayMs = 0, emptied = false, ...changes } = {}) {
      await server.kill();
      if (emptied) await removeData(folder);
      await sleep(delayMs);
      current = await startAgain(options, folder, port, admin, changes);
      watch(current);
    },
    async flush() {
      await admin.flushall("SYNC");
      await admin.script("FLUSH", "SYNC");
    },
    async stop() {
      admin.disconnect();
      await server.kill();
    },
    log: (lines = 50) => tail(folder, lines),
  };
  return server;
}

/** Its port may be held for a moment by a connection of its former life. */
async function startAgain(
  options: RedisServerOptions,
  folder: string,
  port: number,
  admin: Redis,
  changes: Pick<RestartOptions, "config" | "env">,
): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    rmSync(join(folder, "log"), { force: true });
    const process = launch(options, folder, port, changes);
    try {
      await untilReady(process, admin, folder);
      return process;
    } catch (error) {
      if (process.alive) await process.signal("SIGKILL");
      if (!ADDRESS_IN_USE.test(tail(folder, 5)) || attempt >= MOST_PORTS)
        throw failedToStart(options.name, folder, error);
      await sleep(100 * attempt);
    }
  }
}

function launch(
  options: RedisServerOptions,
  folder: string,
  port: number,
  changes: Pick<RestartOptions, "config" | "env">,
): ServerProcess {
  const { redis, supervisor, persistence = "none", sourceAddress, password, sentinel = false } = options;
  const published = redis.container?.network === "published";
  const config = { ...options.config, ...changes.config };
  const file = join(folder, "redis.conf");
  const content = {
    version: redis.version,
    port,
    folder,
    persistence,
    sourceAddress,
    password,
    sentinel,
    published,
    config,
  };
  writeFileSync(file, serverConfig(content), { mode: 0o600 });
  return startServerProcess({
    redis,
    supervisor,
    args: [file, ...(sentinel ? ["--sentinel"] : [])],
    folder,
    port,
    logFile: join(folder, "log"),
    env: { ...options.env, ...changes.env },
  });
}

/** Answers, has loaded its data, and is the process that was started: another's server may have been faster on the port. */
async function untilReady(process: ServerProcess, admin: Redis, folder: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const ended = process.exited.then(({ code, signal }) => {
    throw new Error(`it ended with ${signal ?? `exit code ${code}`}`);
  });
  ended.catch(() => {});
  for (;;) {
    const info = await Promise.race([ended, admin.info("server").catch(messageOf)]);
    if (info.includes(`config_file:${join(folder, "redis.conf")}`) && isThisLife(info, process)) return;
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

async function removeData(folder: string): Promise<void> {
  for (const name of ["appendonlydir", "appendonly.aof", "dump.rdb"]) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function tail(folder: string, lines: number): string {
  try {
    return readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    return "";
  }
}
