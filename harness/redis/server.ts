import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { messageOf } from "../errors.ts";
import { answers } from "./admin-client.ts";
import {
  type FirstLife,
  HOST,
  type LifeChanges,
  type RedisServerOptions,
  startAgain,
  startOnFreePort,
  tail,
} from "./server-life.ts";
import type { ServerExit, ServerProcess } from "./server-process.ts";

export type { RedisServerOptions } from "./server-life.ts";

export interface RestartOptions extends LifeChanges {
  /** How long it stays away, ms. */
  delayMs?: number;
  /** Comes back without what it had kept on disk. */
  emptied?: boolean;
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
  /** SIGCONT; resolves once it answers again, or at once if it was killed meanwhile. */
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

const RESUME_TIMEOUT_MS = 10_000;

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

function serverHandle(options: RedisServerOptions, folder: string, { process, admin, port }: FirstLife): RedisServer {
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
      const life = current;
      if (life === planned) return;
      const failed = await continued(life, admin);
      // Killed by plan meanwhile: nothing is left that could be stopped.
      if (failed && life !== planned) throw new Error(`${name} ${failed.message}`, { cause: failed });
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

/** Why the life did not go on; undefined: it did. */
async function continued(life: ServerProcess, admin: Redis): Promise<Error | undefined> {
  try {
    await life.signal("SIGCONT");
  } catch (error) {
    return new Error(`could not be continued: ${messageOf(error)}`, { cause: error });
  }
  if (await answers(admin, RESUME_TIMEOUT_MS)) return undefined;
  return new Error(`does not answer within ${RESUME_TIMEOUT_MS / 1000} s after it was continued`);
}

async function removeData(folder: string): Promise<void> {
  for (const name of ["appendonlydir", "appendonly.aof", "dump.rdb"]) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
