import { spawn } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { messageOf } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";

/** How a program ended. A program that cannot be started has exit code 127, as in a shell. */
export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** After this time it is killed, and its exit code is 124. */
  timeoutMs?: number;
}

/** What finding Redis needs of the machine. Tests give another. */
export interface FindSystem {
  platform: NodeJS.Platform;
  /** `x64`, `arm64`, ... */
  architecture: string;
  env: NodeJS.ProcessEnv;
  /** User id; undefined where there is none. */
  uid: number | undefined;
  gid: number | undefined;
  run(file: string, args: readonly string[], options?: RunOptions): Promise<Ran>;
  isExecutable(path: string): boolean;
  isFolder(path: string): boolean;
  /** The text of /etc/os-release, empty where there is none. */
  osRelease(): string;
}

/** This machine. Programs are in the supervisor's charge while they run, if there is one. */
export function thisMachine(supervisor?: Supervisor): FindSystem {
  return {
    platform: process.platform,
    architecture: process.arch,
    env: process.env,
    uid: process.getuid?.(),
    gid: process.getgid?.(),
    run: (file, args, options = {}) => run(file, args, options, supervisor),
    isExecutable,
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
    osRelease: () => readIfThere("/etc/os-release"),
  };
}

function run(file: string, args: readonly string[], options: RunOptions, supervisor?: Supervisor): Promise<Ran> {
  const { env = process.env, cwd, timeoutMs = 30_000 } = options;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: { ...env, ...supervisor?.childEnv },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { pid } = child;
    if (pid !== undefined) supervisor?.own(pid);
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    const end = (exitCode: number) => {
      clearTimeout(timer);
      if (pid !== undefined) supervisor?.disown(pid);
      resolve({ exitCode: timedOut ? 124 : exitCode, ...output });
    };
    child.on("error", (error) => {
      output.stderr += messageOf(error);
      end(127);
    });
    child.on("close", (code) => end(code ?? 128));
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
