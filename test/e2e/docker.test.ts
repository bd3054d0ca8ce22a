// No container engine is on every machine that runs the tests: what can be tested without one is.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { topologies } from "../../harness/config/topologies.ts";
import { findRedis } from "../../harness/redis/find.ts";
import { freePort } from "../../harness/redis/free-port.ts";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { bin, folderForTest, startHarness, until } from "./run-harness.ts";

interface Compose {
  services: Record<string, { image: string; command?: string[]; environment?: { REDIS_CONF?: string } }>;
}
const compose = (file: string): Compose => parse(readFileSync(join("docker/compose", file), "utf8"));

test.each(topologies)("servers of the compose file of $name start with their directives", async ({ name }) => {
  const redis = await findRedis();
  const confs = Object.values(compose(`${name}.yaml`).services).flatMap(
    ({ environment }) => environment?.REDIS_CONF ?? [],
  );
  const distinct = [...new Set(confs.map((conf) => conf.replaceAll(/(node|sentinel)-\d/g, "127.0.0.1")))];
  for (const conf of distinct) {
    const folder = folderForTest();
    const file = join(folder, "redis.conf");
    const port = await freePort("127.0.0.1");
    writeFileSync(
      file,
      conf
        .replace(/^port .*$/m, `port ${port}`)
        .replace('"/data"', `"${folder}"`)
        .replace("bind 0.0.0.0", "bind 127.0.0.1"),
    );
    const args = [file, ...(conf.includes("sentinel ") ? ["--sentinel"] : [])];
    const server = execa(redis.server, args, { env: redis.env, reject: false });
    onTestFinished(() => void server.kill("SIGKILL"));
    let log = "";
    server.stdout.on("data", (text) => {
      log += text;
    });
    await until(
      () => /Ready to accept connections|Sentinel ID is|FATAL|Bad directive/.test(log) || server.exitCode !== null,
    );
    expect(log).toMatch(/Ready to accept connections|Sentinel ID is/);
  }
});

describe("commands of the compose files", () => {
  const commands = readdirSync("docker/compose").flatMap((file) =>
    Object.values(compose(file).services).flatMap(({ image, command }) =>
      image === "holdfast" && command ? [[file, command] as const] : [],
    ),
  );
  test.each(commands)("%s: harness %j", async (_, command) => {
    const check = command[0] === "agent" ? "--help" : "--dry-run";
    const { exitCode, stderr } = await startHarness([...command, check], folderForTest());
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });
});

test.runIf(process.platform === "linux")("--runtime docker: a run whose servers are containers", async () => {
  const cwd = folderForTest();
  const local = await findRedis();
  const engine = join(cwd, "engine");
  for (const folder of ["bin", "path"]) mkdirSync(join(engine, folder), { recursive: true });
  const variables = Object.entries(local.env).map(([key, value]) => `export ${key}='${value}'\n`);
  writeFileSync(join(engine, "bin/redis-server"), `#!/bin/sh\n${variables.join("")}exec '${local.server}' "$@"\n`);
  chmodSync(join(engine, "bin/redis-server"), 0o755);
  symlinkSync(resolve("test/fixtures/redis/fake-engine.sh"), join(engine, "path/docker"));
  const args = ["lock", "--runtime", "docker", "--topology", "replicated", "--rate", "600", "--duration", "2s"];
  const more = ["--rounds", "1", "--faults", "redis-pause(at=0.3s, for=0.2s)", "--seed", "7", "--json"];
  const run = await execa(process.execPath, [bin, ...args, ...more], {
    ...{ cwd, reject: false },
    env: {
      PATH: `${join(engine, "path")}:${process.env.PATH}`,
      FAKE_ENGINE: engine,
      XDG_CACHE_HOME: join(cwd, randomBytes(4).toString("hex")),
    },
  });
  const result = lockResultSchema.parse(JSON.parse(run.stdout));
  expect(result.environment.redis?.how).toBe("container");
  expect(result.faults.every(({ injectedAtMs, healedAtMs }) => injectedAtMs !== null && healedAtMs !== null)).toBe(
    true,
  );
  const calls = readFileSync(join(engine, "calls"), "utf8");
  // The two nodes, the queue and the witness, each a container of its own.
  expect(calls.match(/^run .*--name holdfast-lock-.* redis-server \//gm)).toHaveLength(4);
  expect(calls).toMatch(/^kill --signal STOP holdfast-lock-/m);
  expect(
    readdirSync(engine)
      .filter((name) => name.endsWith(".pid"))
      .map((name) => isAlive(join(engine, name))),
  ).not.toContain(true);
});

function isAlive(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}

test("--runtime docker without an engine says what to do", async () => {
  const cwd = folderForTest();
  const { exitCode, stderr } = await execa(process.execPath, [bin, "lock", "--runtime", "docker"], {
    ...{ cwd, reject: false },
    env: { PATH: cwd, XDG_CACHE_HOME: cwd },
  });
  expect(stderr).toContain("Install Docker or Podman");
  expect(exitCode).toBe(69);
});
