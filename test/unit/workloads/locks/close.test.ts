import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../../../harness/package-root.ts";
import { lockRegistry } from "../../../../workloads/locks/registry.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let servers: TestRedis[];
beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: 5 }, () => startTestRedis()));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

test("after close nothing of any lock keeps its process alive, held keys or not", { timeout: 90_000 }, async () => {
  const modules = [...new Set(lockRegistry.map(({ module }) => module))].filter(
    (module) => module !== "locks/mutex-server",
  );
  const ports = servers.map(({ port }) => port);
  const root = packageRoot();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "test/fixtures/workloads/close-locks.mjs"), JSON.stringify({ root, ports, modules })],
    { timeout: 80_000, env: { ...process.env, NODE_OPTIONS: "" } },
  );
  const left = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { module: string; left: string[] });
  expect(left).toEqual(modules.map((module) => ({ module, left: [] })));
});
