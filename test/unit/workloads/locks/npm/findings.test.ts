import { resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestRedis, type TestRedis } from "../../../../fixtures/workloads/redis-server.ts";

// What the harness found in libraries, each with a script against the library alone.

let servers: TestRedis[];

beforeAll(async () => {
  servers = await Promise.all([1, 2, 3].map(() => startTestRedis()));
});
beforeEach(() => Promise.all(servers.map(({ client }) => client.flushall())));
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function run(script: string): Promise<{ seen: Record<string, unknown>[]; exitCode?: number; stderr: string }> {
  const path = resolve("test/findings", `${script}.mjs`);
  const ports = servers.map(({ port }) => String(port));
  const { stdout, stderr, exitCode } = await execa(process.execPath, [path, ...ports], { reject: false });
  const seen = stdout.split("\n").filter((line) => line.startsWith("{"));
  return { seen: seen.map((line) => JSON.parse(line)), stderr, ...(exitCode === undefined ? {} : { exitCode }) };
}

test("redlock 5 grants a lock whose time is over, and which is gone from the server", async () => {
  const { seen } = await run("redlock-5-dead-grant");
  expect(seen).toEqual([{ granted: true, leftMs: expect.any(Number), onServer: null }]);
  expect(seen[0]!.leftMs).toBeLessThan(0);
});

test("redlock 5: without a majority of replies an acquire never comes back; a command timeout of its clients helps", async () => {
  const { seen } = await run("redlock-5-mute-nodes");
  expect(seen).toEqual([{ byDefault: "still waiting", withTimeLimit: "ExecutionError" }]);
});

test("redlock-universal, createRedlock: what a failed acquire took on nodes that answered late stays there for a TTL", async () => {
  const { seen } = await run("redlock-universal-left-behind");
  expect(seen).toMatchObject([{ first: "not granted", second: "not granted" }]);
  for (const pttl of (seen[0]!.pttls as number[]).slice(1)) expect(pttl).toBeGreaterThan(25_000);
});

test("redlock-universal, using(): under a TTL of 1.25 s or less it renews without a pause", async () => {
  const { seen } = await run("redlock-universal-short-ttl");
  expect(seen).toEqual([{ of1200Ms: expect.any(Number), of1500Ms: expect.any(Number) }]);
  const { of1200Ms, of1500Ms } = seen[0] as Record<string, number>;
  expect(of1200Ms).toBeGreaterThan(50);
  expect(of1500Ms).toBeLessThan(5);
});

test("redlock-universal: after five acquires that timed out it asks a server that answers again no more", async () => {
  const { seen } = await run("redlock-universal-circuit-breaker");
  const acquire = "Circuit breaker is open - Redis is failing";
  expect(seen).toEqual([{ slow: "Command timed out", ping: "PONG", free: true, acquire }]);
});

test("redis-semaphore: a renewal that fails ends the process, and onLockLost is not told", async () => {
  const { seen, exitCode, stderr } = await run("redis-semaphore-unhandled");
  expect({ seen, exitCode }).toEqual({ seen: [], exitCode: 1 });
  expect(stderr).toContain("_processRefresh");
});

test("redis-semaphore, RedlockMutex: a key comes back after its release", async () => {
  const { seen } = await run("redis-semaphore-key-comes-back");
  expect(seen).toEqual([{ released: true, pttls: [-2, -2, expect.any(Number)] }]);
  expect((seen[0]!.pttls as number[])[2]).toBeGreaterThan(0);
});

test("redis-semaphore, RedlockMutex: one mute node of three outlasts acquireTimeout", async () => {
  const { seen } = await run("redis-semaphore-mute-node");
  expect(seen).toEqual([{ after2s: "still waiting" }]);
});

test("simple-redis-mutex: a late refreshTimeout shortens the lock of the next holder", async () => {
  const { seen } = await run("simple-redis-mutex-refresh");
  expect(seen).toEqual([{ grantedToB: true, leftOfBMs: expect.any(Number) }]);
  expect(seen[0]!.leftOfBMs).toBeLessThanOrEqual(100);
});
