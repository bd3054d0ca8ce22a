import { afterAll, beforeAll, expect, test } from "vitest";
import type { Lock } from "../../../../harness/contracts/lock-adapter.ts";
import setNxFenced from "../../../../workloads/locks/set-nx-fenced.ts";
import { granted, lockContext, unaborted, until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let redis: TestRedis;
let locks: Lock[];

beforeAll(async () => {
  redis = await startTestRedis();
  locks = await Promise.all([1, 2, 3].map(() => setNxFenced.createLock(lockContext([redis.port]))));
});
afterAll(async () => {
  await Promise.all(locks.map((lock) => lock.close()));
  await redis.stop();
});

test("each acquisition of a key, by whomever, has a higher token than the one before", async () => {
  const [a, b] = locks as [Lock, Lock];
  const tokens: (number | undefined)[] = [];
  for (const lock of [a, b, b, a]) {
    const grant = granted(await lock.acquire("k", 10_000, unaborted));
    tokens.push(grant.fencingToken);
    await lock.release("k", grant.token);
  }
  expect(tokens).toEqual([1, 2, 3, 4]);
});

test("a refusal mints none", async () => {
  const [a, b] = locks as [Lock, Lock];
  const first = granted(await a.acquire("refused", 10_000, unaborted));
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await b.acquire("refused", 10_000, unaborted)).toEqual({ outcome: "refused" });
  }
  await a.release("refused", first.token);
  expect(granted(await b.acquire("refused", 10_000, unaborted)).fencingToken).toBe(2);
});

test("of many at once one is granted, and only it is counted", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) => (locks[index % 3] as Lock).acquire("herd", 10_000, unaborted)),
  );
  expect(outcomes.filter(({ outcome }) => outcome === "granted")).toHaveLength(1);
  expect(await redis.client.get("test:fence:{herd}")).toBe("1");
});

test("the counter outlives the lease and has no TTL", async () => {
  const [a] = locks as [Lock];
  granted(await a.acquire("expires", 30, unaborted));
  await until(
    () => redis.client.exists("test:lock:{expires}"),
    (keys) => keys === 0,
  );
  expect(await redis.client.pttl("test:fence:{expires}")).toBe(-1);
  expect(granted(await a.acquire("expires", 30, unaborted)).fencingToken).toBe(2);
});

test("an acquire that is sent twice, as clients do after a lost reply, is one acquisition with one token", async () => {
  const commands: string[][] = [];
  const monitor = await redis.client.monitor();
  monitor.on("monitor", (_: string, args: string[]) => commands.push(args));
  const [a] = locks as [Lock];
  const grant = granted(await a.acquire("again", 10_000, unaborted));
  const sent = await until(
    () => commands.find(([name, , , lockKey]) => /^evalsha$/i.test(name ?? "") && lockKey === "test:lock:{again}"),
    (command) => command !== undefined,
  );
  monitor.disconnect();
  expect(await redis.client.call(...(sent as [string, ...string[]]))).toBe(grant.fencingToken);
  expect(await redis.client.get("test:fence:{again}")).toBe("1");
});

test("the lock and its counter lie in one hash slot", async () => {
  const cluster = await startTestRedis(["--cluster-enabled", "yes"]);
  const [a] = locks as [Lock];
  const slots = await Promise.all(a.redisKeys("order 17").map(({ key }) => cluster.client.cluster("KEYSLOT", key)));
  await cluster.stop();
  expect(slots).toHaveLength(2);
  expect(new Set(slots).size).toBe(1);
});
