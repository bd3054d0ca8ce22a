import { basename, dirname } from "node:path";
import type { FindSystem, Ran } from "../../../../harness/redis/find-system.ts";

type Program = (args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv }) => Partial<Ran> | string;

/** A machine with exactly these programs, by path. A program gives its output, or how it ended. */
export function fakeSystem(programs: Record<string, Program>, overrides: Partial<FindSystem> = {}) {
  const calls: string[][] = [];
  const byName = (file: string) =>
    programs[file] ?? Object.entries(programs).find(([path]) => basename(path) === file)?.[1];
  const system: FindSystem = {
    platform: "linux",
    architecture: "x64",
    env: { PATH: "/usr/local/bin:/usr/bin" },
    uid: 1000,
    gid: 1000,
    async run(file, args, options = {}) {
      calls.push([file, ...args]);
      const ran = byName(file)?.(args, options) ?? { exitCode: 127, stderr: `spawn ${file} ENOENT` };
      return { exitCode: 0, stdout: "", stderr: "", ...(typeof ran === "string" ? { stdout: ran } : ran) };
    },
    isExecutable: (path) => path in programs,
    isFolder: (path) => Object.keys(programs).some((program) => dirname(program) === path),
    osRelease: () => 'ID=debian\nVERSION_ID="12"\n',
    ...overrides,
  };
  return { system, calls };
}

export const redisServer = (version: string) => () => `Redis server v=${version} sha=0:0 malloc=libc bits=64 build=0\n`;
