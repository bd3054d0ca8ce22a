import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { messageOf } from "../errors.ts";
import { processState, untilProcess } from "../process-state.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import { spawnOwned } from "../supervisor/spawn-owned.ts";
import { containerArguments, userOf } from "./container.ts";
import type { RedisContainer, RedisInstallation } from "./installation.ts";

export interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One life of a server: a process, or a container. */
export interface ServerProcess {
  /** Undefined for a container: the process is not a child of this one. */
  readonly pid: number | undefined;
  readonly alive: boolean;
  readonly exited: Promise<ServerExit>;
  /** Resolves once the process is seen stopped, running again, or gone. Rejects when it is gone too early. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): Promise<void>;
}

export interface ServerStart {
  redis: RedisInstallation;
  supervisor: Supervisor;
  /** Arguments of the server: its configuration file, `--sentinel`. */
  args: readonly string[];
  folder: string;
  port: number;
  /** What it prints is added to this file. */
  logFile: string;
  env: Readonly<Record<string, string>>;
}

/** Killed first: Podman's `rm --force` asks nicely, and waits 10 s for each server that is stopped. */
const REMOVE = '"$1" kill --signal KILL "$2" > /dev/null 2>&1; exec "$1" rm --force "$2"';

export function startServerProcess(start: ServerStart): ServerProcess {
  const { container } = start.redis;
  return container ? startContainer(start, container) : startLocal(start);
}

function startLocal(start: ServerStart): ServerProcess {
  const { redis, args, env } = start;
  const child = spawnLogged(start, redis.server, args, { ...process.env, ...redis.env, ...env });
  const life = lifeOf(child);
  return {
    pid: child.pid,
    get alive() {
      return life.alive;
    },
    exited: life.exited,
    async signal(signal) {
      // A process that has ended keeps its id until `exit` was seen: another one cannot be hit.
      if (!life.alive) throw new Error(`the server (process ${child.pid}) is not running`);
      child.kill(signal);
      if (signal === "SIGKILL") await life.exited;
      else await untilProcess(child.pid as number, signal === "SIGSTOP" ? "stopped" : "running");
    },
  };
}

function startContainer(start: ServerStart, container: RedisContainer): ServerProcess {
  const { supervisor, args, folder, port, env } = start;
  const name = `holdfast-${supervisor.runId}-${randomBytes(4).toString("hex")}`;
  const engine = (...args: string[]) => promisify(execFile)(container.engine, args);
  const removal = ["sh", "-c", REMOVE, "sh", container.engine, name];
  supervisor.ownCommand(removal);
  const user = userOf({ platform: process.platform, uid: process.getuid?.(), gid: process.getgid?.() });
  const program = ["redis-server", ...args];
  const child = spawnLogged(
    start,
    container.engine,
    containerArguments({ container, user, name, folder, port, env, program }),
  );
  const life = lifeOf(child);
  life.exited.then(() => supervisor.disownCommand(removal));
  return {
    pid: undefined,
    get alive() {
      return life.alive;
    },
    exited: life.exited,
    async signal(signal) {
      if (!life.alive) throw new Error(`the server (container ${name}) is not running`);
      await engine("kill", "--signal", signal.slice("SIG".length), name);
      if (signal === "SIGKILL") return void (await life.exited);
      // Where the engine runs in a virtual machine, its word is all there is.
      const pid = Number((await engine("inspect", "--format", "{{.State.Pid}}", name)).stdout);
      if ((await processState(pid)) !== "gone") await untilProcess(pid, signal === "SIGSTOP" ? "stopped" : "running");
    },
  };
}

function spawnLogged(
  { supervisor, folder, logFile }: ServerStart,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  const log = openSync(logFile, "a");
  try {
    return spawnOwned(supervisor, file, args, { cwd: folder, env, stdio: ["ignore", log, log] });
  } finally {
    closeSync(log);
  }
}

function lifeOf(child: ChildProcess) {
  const life = { alive: true, exited: undefined as unknown as Promise<ServerExit> };
  life.exited = new Promise((resolve, reject) => {
    child.once("exit", (code, signal) => {
      life.alive = false;
      resolve({ code, signal });
    });
    child.once("error", (error) => {
      if (child.pid !== undefined) return;
      life.alive = false;
      reject(new Error(`The server could not be started: ${messageOf(error)}`));
    });
  });
  // Whoever waits for it hears of it.
  life.exited.catch(() => {});
  return life;
}
