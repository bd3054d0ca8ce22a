import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { UnavailableError } from "../../harness/errors.ts";
import { processState } from "../../harness/process-state.ts";
import { findRedis } from "../../harness/redis/find.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";
import { type RedisServer, type RedisServerOptions, startRedisServer } from "../../harness/redis/server.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

let redis: RedisInstallation;
let supervisor: Supervisor;
let folder: string;
let servers = 0;

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  folder = makeOwnedFolder(supervisor);
  redis = await findRedis();
});
afterAll(async () => {
  // Every test stopped its servers: nothing is left to kill.
  expect(await supervisor.close()).toEqual({ killed: [], removed: [folder], failed: [] });
});

async function start(options: Partial<RedisServerOptions> = {}): Promise<RedisServer> {
  const server = await startRedisServer({ redis, supervisor, folder, name: `node:${++servers}`, ...options });
  onTestFinished(() => server.stop());
  return server;
}

async function configOf(server: RedisServer, name: string): Promise<string> {
  return ((await server.admin.config("GET", name)) as string[])[1] ?? "(none)";
}

describe("a server of a run", () => {
  it("is on loopback only, keeps nothing on disk, lets DEBUG through, and works in a folder of its own", async () => {
    const server = await start();
    expect(await server.ping()).toBe(true);
    expect(await configOf(server, "bind")).toBe("127.0.0.1");
    expect(await configOf(server, "save")).toBe("");
    expect(await configOf(server, "appendonly")).toBe("no");
    expect(await configOf(server, "dir")).toBe(server.folder);
    expect(server.folder.startsWith(`${folder}/`)).toBe(true);
    expect(await server.admin.call("DEBUG", "SLEEP", "0")).toBe("OK");
    expect(await server.admin.info("server")).toContain(`redis_version:${server.version}`);
    expect(server.port).toBeGreaterThanOrEqual(20_000);
    expect(server.port).toBeLessThan(32_000);
    expect(await server.admin.eval("return cjson.encode({1})", 0)).toBe("[1]");
  });

  it("may be started many at a time, each on its own port", async () => {
    const several = await Promise.all(Array.from({ length: 6 }, () => start()));
    expect(new Set(several.map(({ port }) => port)).size).toBe(6);
    expect(await Promise.all(several.map((server) => server.ping()))).toEqual(Array(6).fill(true));
  });

  it("is paused: nothing answers, time goes on; and resumed", async () => {
    const server = await start();
    await server.admin.set("key", "value", "PX", 50);
    await server.pause();
    expect(await processState(server.pid!)).toBe("stopped");
    expect(server.alive).toBe(true);
    expect(await server.ping(100)).toBe(false);
    await server.resume();
    expect(await server.ping()).toBe(true);
    expect(await server.admin.get("key")).toBeNull();
  });

  it("loses everything when it is killed and restarted, and its client finds it again", async () => {
    const server = await start();
    await server.admin.set("key", "value");
    const before = server.pid;
    await server.kill();
    expect(server.alive).toBe(false);
    expect(await server.ping(100)).toBe(false);
    await server.restart({ delayMs: 50 });
    expect(server.pid).not.toBe(before);
    expect(await server.admin.get("key")).toBeNull();
  });

  it("is restarted out of a pause too", async () => {
    const server = await start();
    await server.pause();
    await server.restart();
    expect(await server.ping()).toBe(true);
  });

  it("has nothing left to continue when it was killed out of the pause, before or meanwhile", async () => {
    const server = await start();
    await server.pause();
    await server.kill();
    await server.resume();
    await server.restart();
    await server.pause();
    await Promise.all([server.resume(), server.kill()]);
    expect(server.alive).toBe(false);
  });

  it("keeps what it has with an append-only file, unless it is to come back empty", async () => {
    const server = await start({ persistence: "aof" });
    await server.admin.set("key", "value");
    await server.restart();
    expect(await server.admin.get("key")).toBe("value");
    await server.restart({ emptied: true });
    expect(await server.admin.get("key")).toBeNull();
    expect(readdirSync(join(server.folder, "appendonlydir")).length).toBeGreaterThan(0);
  });

  it("comes back with other directives and another environment", async () => {
    const server = await start({ config: { maxclients: "50" } });
    await server.restart({ config: { maxclients: "60" }, env: { HOLDFAST_TEST: "seen" } });
    expect(await configOf(server, "maxclients")).toBe("60");
    if (process.platform === "linux") {
      expect(readFileSync(`/proc/${server.pid}/environ`, "latin1")).toContain("HOLDFAST_TEST=seen\0");
    }
  });

  it("is emptied of keys and of scripts", async () => {
    const server = await start();
    await server.admin.set("key", "value");
    const script = (await server.admin.script("LOAD", "return 1")) as string;
    await server.flush();
    expect(await server.admin.dbsize()).toBe(0);
    expect(await server.admin.script("EXISTS", script)).toEqual([0]);
  });

  it("tells of an exit that nobody had asked for, with its last words; not of one that was", async () => {
    const [dying, killed] = await Promise.all([start(), start()]);
    await killed.kill();
    process.kill(dying.pid!, "SIGTERM");
    expect(await dying.unplannedExit).toMatchObject({ name: dying.name, code: 0, signal: null });
    expect((await dying.unplannedExit).log).toMatch(/ready to exit, bye bye/);
    expect(dying.alive).toBe(false);
    expect(await Promise.race([killed.unplannedExit, "nothing"])).toBe("nothing");
    await expect(dying.pause()).rejects.toThrow("is not running");
  });

  it("asks for a password everywhere when it is given one", async () => {
    const server = await start({ password: 'se "cr" et' });
    expect(await server.ping()).toBe(true);
    await server.restart();
    expect(await server.ping()).toBe(true);
  });

  it("comes from its source address when it connects elsewhere", async () => {
    const primary = await start();
    const replica = await start({ sourceAddress: "127.0.2.7" });
    await replica.admin.replicaof(primary.host, primary.port);
    while (!/connected_slaves:1/.test(await primary.admin.info("replication")))
      await new Promise((r) => setTimeout(r, 10));
    expect(await primary.admin.call("CLIENT", "LIST", "TYPE", "replica")).toContain(" addr=127.0.2.7:");
  });

  it("can be a sentinel", async () => {
    const sentinel = await start({ sentinel: true });
    expect(await sentinel.ping()).toBe(true);
    expect(await sentinel.admin.call("SENTINEL", "MASTERS")).toEqual([]);
  });

  it("says what the server said when it does not come up", async () => {
    const failure = start({ config: { "no-such-directive": "1" } });
    await expect(failure).rejects.toThrow(UnavailableError);
    await expect(failure).rejects.toThrow(/no-such-directive[\s\S]*Bad directive/);
    await expect(start({ redis: { ...redis, server: "/nowhere/redis-server" } })).rejects.toThrow(
      /did not come up.*ENOENT/,
    );
  });

  it("takes another port when somebody is faster", async () => {
    const thief = createServer();
    onTestFinished(() => void thief.close());
    let stolen = 0;
    const name = `node:${servers + 1}`;
    // The server waits until its port is taken.
    const isTaken = join(folder, "taken");
    const program = join(folder, "slow-redis-server");
    const waiting = `while [ ! -e '${isTaken}' ]; do sleep 0.05; done`;
    writeFileSync(program, `#!/bin/sh\n${waiting}\nexec '${redis.server}' "$@"\n`, { mode: 0o755 });
    const slow = {
      ...redis,
      server: program,
      // Read between the choice of the port and the start of the server.
      get env() {
        if (stolen === 0) {
          const written = readFileSync(join(folder, name.replace(":", "-"), "redis.conf"), "utf8");
          stolen = Number(/^port (\d+)$/m.exec(written)?.[1]);
          thief.listen({ host: "127.0.0.1", port: stolen }, () => writeFileSync(isTaken, ""));
        }
        return redis.env;
      },
    };
    const server = await start({ redis: slow });
    expect(stolen).toBeGreaterThan(0);
    expect(server.port).not.toBe(stolen);
    expect(await server.ping()).toBe(true);
  });

  it("comes back on its port though that is taken for a moment", async () => {
    const server = await start();
    await server.kill();
    const thief = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => thief.listen({ host: "127.0.0.1", port: server.port }, resolve));
    const restarted = server.restart();
    while (!server.log().includes("Address already in use")) await new Promise((resolve) => setTimeout(resolve, 5));
    thief.close();
    await restarted;
    expect(await server.ping()).toBe(true);
  });

  it("does not outlive an orchestrator that is killed, stopped or not, and leaves no folder", async () => {
    const fixture = join(import.meta.dirname, "../fixtures/redis/orchestrator.ts");
    const child = spawn(process.execPath, ["--import", "jiti/register", fixture, `${supervisor.runId}-child`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const { pids, folder: theirs } = JSON.parse(line) as { pids: number[]; folder: string };
    expect(pids).toHaveLength(5);
    if (process.platform === "linux") {
      // The mark by which the supervisor finds even a server that it was not told of.
      const marks = pids.map((pid) =>
        readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${supervisor.runId}-child`),
      );
      expect(marks).toEqual(Array(5).fill(true));
    }
    child.kill("SIGKILL");
    for (const pid of pids) while ((await processState(pid)) !== "gone") await new Promise((r) => setTimeout(r, 10));
    while (existsSync(theirs)) await new Promise((r) => setTimeout(r, 10));
  });

  it("is gone once it is stopped, which may be said twice", async () => {
    const server = await start();
    const { pid } = server;
    await server.stop();
    await server.stop();
    expect(await processState(pid!)).toBe("gone");
    expect(existsSync(server.folder)).toBe(true);
  });
});
