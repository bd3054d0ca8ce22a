import { afterAll, beforeAll, expect, test } from "vitest";
import type { Lock } from "../../../../harness/contracts/lock-adapter.ts";
import setNxRenewing from "../../../../workloads/locks/set-nx-renewing.ts";
import { granted, lockContext, unaborted, until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let redis: TestRedis;
let lock: Lock;
const lost: { token: string; reason: string }[] = [];

beforeAll(async () => {
  redis = await startTestRedis();
  lock = await setNxRenewing.createLock(lockContext([redis.port], { options: { renewEveryMs: 50 } }));
  lock.onLost?.((loss) => lost.push(loss));
});
afterAll(async () => {
  await lock.close();
  await redis.stop();
});

test("the key lives on beyond its TTL while it is held, and is gone after the release", async () => {
  const { token } = granted(await lock.acquire("k", 400, unaborted));
  const renewals = await until(
    async () => /cmdstat_pexpire:calls=(\d+)/.exec(await redis.client.info("commandstats"))?.[1] ?? 0,
    (calls) => Number(calls) >= 12,
  );
  expect(Number(renewals)).toBeGreaterThanOrEqual(12);
  expect(await redis.client.get("test:lock:k")).toBe(token);
  expect(await redis.client.pttl("test:lock:k")).toBeGreaterThan(0);
  expect(await lock.acquire("k", 400, unaborted)).toEqual({ outcome: "refused" });
  expect(await lock.release("k", token)).toEqual({ outcome: "released" });
  expect(await redis.client.exists("test:lock:k")).toBe(0);
  expect(lost).toEqual([]);
});

test("the holder hears that another has its key, and renews it no more", async () => {
  const { token } = granted(await lock.acquire("taken", 5_000, unaborted));
  await redis.client.set("test:lock:taken", "somebody else", "PX", 60_000);
  const [loss] = await until(
    () => lost.filter((one) => one.token === token),
    (losses) => losses.length > 0,
  );
  expect(loss?.reason).toBe("a renewal found that the key is no longer its own");
  expect(await redis.client.get("test:lock:taken")).toBe("somebody else");
  expect(await lock.release("taken", token)).toEqual({ outcome: "not-owner" });
});

test("the holder hears that its lease ended while the server was mute", async () => {
  const { token } = granted(await lock.acquire("mute", 400, unaborted));
  redis.pause();
  const [loss] = await until(
    () => lost.filter((one) => one.token === token),
    (losses) => losses.length > 0,
  );
  redis.resume();
  expect(loss?.reason).toBe("the lease ended before a renewal was confirmed");
});

test("a grant that comes when its lease is over is none, and leaves no key behind", async () => {
  let nowMs = 0;
  const late = await setNxRenewing.createLock(
    lockContext([redis.port], {
      monotonicMs: () => {
        nowMs += 400;
        return nowMs;
      },
    }),
  );
  expect(await late.acquire("late", 300, unaborted)).toMatchObject({ outcome: "indeterminate" });
  await until(
    () => redis.client.exists("test:lock:late"),
    (keys) => keys === 0,
  );
  await late.close();
});
