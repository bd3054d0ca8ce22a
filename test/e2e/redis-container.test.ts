// There is no container engine on every machine that runs the tests: a script that behaves like one stands in for it.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processState } from "../../harness/process-state.ts";
import { findRedis } from "../../harness/redis/find.ts";
import { thisMachine } from "../../harness/redis/find-system.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";
import { startRedisServer } from "../../harness/redis/server.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { startSupervisor } from "../../harness/supervisor/parent.ts";

const engine = mkdtempSync(join(tmpdir(), "fake-engine-"));
let redis: RedisInstallation;

beforeAll(async () => {
  const local = await findRedis();
  mkdirSync(join(engine, "bin"));
  mkdirSync(join(engine, "path"));
  for (const [name, path] of Object.entries({ "redis-server": local.server, "redis-cli": local.cli! })) {
    const variables = Object.entries(local.env).map(([key, value]) => `export ${key}='${value}'\n`);
    writeFileSync(join(engine, "bin", name), `#!/bin/sh\n${variables.join("")}exec '${path}' "$@"\n`);
    chmodSync(join(engine, "bin", name), 0o755);
  }
  symlinkSync(join(import.meta.dirname, "../fixtures/redis/fake-engine.sh"), join(engine, "path/docker"));
  process.env.FAKE_ENGINE = engine;
  const { HARNESS_REDIS_BIN: _, ...clean } = process.env;
  const machine = thisMachine();
  redis = await findRedis({
    system: {
      ...machine,
      env: { ...clean, PATH: join(engine, "path") },
      // The engine's own programs come from the usual places.
      run: (file, args, options) => machine.run(file, args, { ...options, env: process.env }),
    },
    cache: join(engine, "cache"),
  });
});
afterAll(() => {
  delete process.env.FAKE_ENGINE;
  rmSync(engine, { recursive: true, force: true });
});

async function withServer(use: (server: Awaited<ReturnType<typeof startRedisServer>>) => Promise<void>) {
  const supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  const server = await startRedisServer({ redis, supervisor, folder: makeOwnedFolder(supervisor), name: "node:1" });
  try {
    await use(server);
  } finally {
    expect((await supervisor.close()).failed).toEqual([]);
    server.admin.disconnect();
  }
}

const processOf = async (server: { admin: { info(section: string): Promise<string> } }) =>
  Number(/^process_id:(\d+)/m.exec(await server.admin.info("server"))?.[1]);

describe.runIf(process.platform === "linux")("a Redis in a container", () => {
  it("is found when there is nothing else, and its tools are scripts", async () => {
    expect(redis).toMatchObject({ how: "container", container: { network: "host" } });
    const { stdout, exitCode } = await thisMachine().run(redis.cli!, ["--version"]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(redis.version)]);
  });

  it("is paused, resumed, killed and restarted through its engine", async () => {
    await withServer(async (server) => {
      const first = await processOf(server);
      expect(server.pid).toBeUndefined();
      await server.pause();
      expect(await processState(first)).toBe("stopped");
      expect(await server.ping(100)).toBe(false);
      await server.resume();
      await server.admin.set("key", "value");
      await server.kill();
      expect(await processState(first)).toBe("gone");
      expect(server.alive).toBe(false);
      await server.restart();
      expect(await server.admin.get("key")).toBeNull();
      expect(await processOf(server)).not.toBe(first);
      await server.stop();
    });
  });

  it("does not outlive its run, though it is no child of it and does not know its id", async () => {
    let pid = 0;
    await withServer(async (server) => {
      pid = await processOf(server);
      expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toContain("HOLDFAST_RUN_ID");
      await server.pause();
    });
    expect(await processState(pid)).toBe("gone");
    expect(readFileSync(join(engine, "calls"), "utf8")).toMatch(/^rm --force holdfast-test-/m);
  });

  it("is missed when it ends by itself", async () => {
    await withServer(async (server) => {
      process.kill(await processOf(server), "SIGTERM");
      expect((await server.unplannedExit).log).toContain("bye bye");
    });
  });
});
