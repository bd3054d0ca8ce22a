import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { hasApt } from "../../harness/redis/apt.ts";
import { findRedis } from "../../harness/redis/find.ts";
import { thisMachine } from "../../harness/redis/find-system.ts";

let folder: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redis-find-"));
  cache = join(folder, "cache");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** This machine without the Redis that may be installed on it. */
function withoutRedis(env: NodeJS.ProcessEnv = {}) {
  const machine = thisMachine();
  const { HARNESS_REDIS_BIN: _, ...clean } = machine.env;
  const isExecutable = (path: string) => !/^\/usr\/.*-server$/.test(path) && machine.isExecutable(path);
  return { ...machine, env: { ...clean, ...env }, isExecutable };
}

const copies = () => (existsSync(join(cache, "redis")) ? readdirSync(join(cache, "redis")) : []);

async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.runIf(hasApt(thisMachine()))("a private copy from this system's packages", () => {
  it("runs, with all its tools, and is there at once the next time", async () => {
    const system = withoutRedis();
    const lines: string[] = [];
    const made = await findRedis({ system, cache, onProgress: (line) => lines.push(line) });
    expect(made.how).toBe("private copy made now");
    expect(lines[0]).toContain(`once, into ${cache}`);
    for (const program of [made.server, made.cli, made.benchmark]) {
      const output = execFileSync(program!, ["--version"], { env: { ...process.env, ...made.env }, encoding: "utf8" });
      expect(output).toContain(made.version);
    }
    expect(await findRedis({ system, cache })).toEqual({ ...made, how: "private copy" });
    expect(copies()).toHaveLength(1);
  });

  it("is made without package lists, without writing to the system's", async () => {
    const lists = join(folder, "lists");
    mkdirSync(lists);
    writeFileSync(join(folder, "apt.conf"), `Dir::State::lists "${lists}";\n`);
    const system = withoutRedis({ APT_CONFIG: join(folder, "apt.conf") });
    expect((await findRedis({ system, cache })).how).toBe("private copy made now");
    expect(readdirSync(lists).filter((name) => name.includes("Packages"))).toEqual([]);
    expect(copies()).toHaveLength(1);
  });

  it("is whole or not there when the harness is killed in the middle, and the pieces go the next time", async () => {
    const fixture = join(import.meta.dirname, "../fixtures/redis/find.ts");
    const child = spawn(process.execPath, ["--import", "jiti/register", fixture], {
      env: { ...process.env, HOLDFAST_CACHE: cache, HARNESS_REDIS_BIN: "" },
      stdio: "ignore",
      detached: true,
    });
    const pieces = () => copies().filter((name) => name.includes(".making-"));
    const packages = () => pieces().some((name) => existsSync(join(cache, "redis", name, "packages")));
    await until(() => packages() || child.exitCode !== null);
    // The group: apt-get would go on writing for a moment, as there is no supervisor here.
    process.kill(-child.pid!, "SIGKILL");
    await until(() => child.exitCode !== null || child.signalCode !== null);
    if (pieces().length > 0) expect(copies()).toEqual(pieces());

    expect((await findRedis({ system: withoutRedis(), cache })).version).toMatch(/^\d+\.\d+/);
    expect(pieces()).toEqual([]);
  });
});
