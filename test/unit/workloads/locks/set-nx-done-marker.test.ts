import { afterAll, beforeAll, expect, test } from "vitest";
import type { Lock } from "../../../../harness/contracts/lock-adapter.ts";
import setNxDoneMarker from "../../../../workloads/locks/set-nx-done-marker.ts";
import { granted, lockContext, unaborted, until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let redis: TestRedis;
let lock: Lock;

beforeAll(async () => {
  redis = await startTestRedis();
  lock = await setNxDoneMarker.createLock(lockContext([redis.port], { options: { horizonMs: 60_000 } }));
});
afterAll(async () => {
  await lock.close();
  await redis.stop();
});

test("what was done is refused with that reason, for the horizon", async () => {
  const { token } = granted(await lock.acquire("done", 10_000, unaborted));
  expect(await lock.release("done", token, { done: true })).toEqual({ outcome: "released" });
  expect(await lock.acquire("done", 10_000, unaborted)).toEqual({ outcome: "refused", reason: "done" });
  const [, mark] = lock.redisKeys("done");
  const horizonMs = await redis.client.pttl(mark?.key ?? "");
  expect(horizonMs).toBeGreaterThan(10_000);
  expect(horizonMs).toBeLessThanOrEqual(60_000);
});

test("what was not done may be tried again", async () => {
  const first = granted(await lock.acquire("failed", 10_000, unaborted));
  await lock.release("failed", first.token);
  const second = granted(await lock.acquire("failed", 10_000, unaborted));
  await lock.release("failed", second.token, { done: false });
  granted(await lock.acquire("failed", 10_000, unaborted));
});

test("while it is held the refusal gives no reason", async () => {
  granted(await lock.acquire("held", 10_000, unaborted));
  expect(await lock.acquire("held", 10_000, unaborted)).toEqual({ outcome: "refused" });
});

test("work that outlived its lease is marked, and the next holder keeps its lock", async () => {
  const { token } = granted(await lock.acquire("slow", 30, unaborted));
  await until(
    () => redis.client.exists("test:lock:{slow}"),
    (keys) => keys === 0,
  );
  const next = granted(await lock.acquire("slow", 10_000, unaborted));
  expect(await lock.release("slow", token, { done: true })).toEqual({ outcome: "not-owner" });
  expect(await redis.client.get("test:lock:{slow}")).toBe(next.token);
  expect(await lock.acquire("slow", 10_000, unaborted)).toEqual({ outcome: "refused", reason: "done" });
});

test("the mark goes when the horizon is over", async () => {
  const short = await setNxDoneMarker.createLock(lockContext([redis.port], { options: { horizonMs: 30 } }));
  const { token } = granted(await short.acquire("forgotten", 10_000, unaborted));
  await short.release("forgotten", token, { done: true });
  await until(
    () => redis.client.exists("test:done:{forgotten}"),
    (keys) => keys === 0,
  );
  granted(await short.acquire("forgotten", 10_000, unaborted));
  await short.close();
});
