import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Lock, LockContext, LockModule } from "../../../../../harness/contracts/lock-adapter.ts";
import fenceAfterSet from "../../../../../workloads/locks/broken/fence-after-set.ts";
import getThenDel from "../../../../../workloads/locks/broken/get-then-del.ts";
import neverTells from "../../../../../workloads/locks/broken/never-tells.ts";
import noTtl from "../../../../../workloads/locks/broken/no-ttl.ts";
import redlockWithoutValidity from "../../../../../workloads/locks/broken/redlock-without-validity.ts";
import reentrantByProcess from "../../../../../workloads/locks/broken/reentrant-by-process.ts";
import releaseWithoutOwner from "../../../../../workloads/locks/broken/release-without-owner.ts";
import renewalOutlivesRelease from "../../../../../workloads/locks/broken/renewal-outlives-release.ts";
import setnxThenPexpire from "../../../../../workloads/locks/broken/setnx-then-pexpire.ts";
import waitsForRelease from "../../../../../workloads/locks/broken/waits-for-release.ts";
import wallClockOfClient from "../../../../../workloads/locks/broken/wall-clock-of-client.ts";
import { granted, lockContext, unaborted, until } from "../../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../../fixtures/workloads/redis-server.ts";
import { type Relay, startRelay } from "../../../../fixtures/workloads/relay.ts";

// Each broken lock is broken in the one way that it says, and is so on a real server.

let redis: TestRedis;
let relay: Relay;
const open: Lock[] = [];

beforeAll(async () => {
  redis = await startTestRedis();
});
beforeEach(async () => {
  await redis.client.flushall();
  relay = await startRelay(redis.port);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((lock) => lock.close()));
  await relay.close();
});
afterAll(() => redis.stop());

async function make({ createLock }: LockModule, port = redis.port, overrides: Partial<LockContext> = {}) {
  const lock = await createLock(lockContext([port], overrides));
  open.push(lock);
  return lock;
}

const gone = (key: string) =>
  until(
    () => redis.client.exists(key),
    (keys) => keys === 0,
  );

test("release without owner check: frees the lock of whoever has it by then", async () => {
  const [a, b] = [await make(releaseWithoutOwner), await make(releaseWithoutOwner)];
  const { token } = granted(await a.acquire("k", 30, unaborted));
  await gone("test:lock:k");
  granted(await b.acquire("k", 60_000, unaborted));
  expect(await a.release("k", token)).toEqual({ outcome: "released" });
  expect(await redis.client.exists("test:lock:k")).toBe(0);
});

test("GET, then DEL: what was the own key at GET is another's at DEL", async () => {
  const [a, b] = [await make(getThenDel, relay.port), await make(getThenDel)];
  const { token } = granted(await a.acquire("k", 300, unaborted));
  const del = relay.holdRequest("\r\ndel\r\n");
  const release = a.release("k", token);
  await del.reached;
  await gone("test:lock:k");
  granted(await b.acquire("k", 60_000, unaborted));
  del.pass();
  expect(await release).toEqual({ outcome: "released" });
  expect(await redis.client.exists("test:lock:k")).toBe(0);
});

test("SETNX, then PEXPIRE: who dies in between leaves a key without a lease", async () => {
  const a = await make(setnxThenPexpire, relay.port);
  const pexpire = relay.holdRequest("pexpire");
  const acquire = a.acquire("k", 50, unaborted);
  await pexpire.reached;
  pexpire.cut();
  await a.close();
  expect(await acquire).toMatchObject({ outcome: "indeterminate" });
  expect(await redis.client.pttl("test:lock:k")).toBe(-1);
});

test("INCR after SET: the earlier owner gets the higher token", async () => {
  const [a, b] = [await make(fenceAfterSet, relay.port), await make(fenceAfterSet)];
  const incr = relay.holdRequest("incr");
  const first = a.acquire("k", 300, unaborted);
  await incr.reached;
  await gone("test:lock:{k}");
  const second = granted(await b.acquire("k", 60_000, unaborted));
  incr.pass();
  expect(granted(await first).fencingToken).toBeGreaterThan(second.fencingToken as number);
});

test("Redlock without the validity check: granted when its keys are gone", async () => {
  const lock = await make(redlockWithoutValidity, relay.port);
  const replies = relay.holdReplies();
  const acquire = lock.acquire("k", 100, unaborted);
  await until(
    () => redis.client.exists("test:lock:k"),
    (keys) => keys === 1,
  );
  await gone("test:lock:k");
  replies.pass();
  granted(await acquire);
  expect(await redis.client.exists("test:lock:k")).toBe(0);
});

test("renewal that outlives the release: renews the lock of the next holder", async () => {
  const lock = await make(renewalOutlivesRelease, redis.port, { options: { renewEveryMs: 400 } });
  const { token } = granted(await lock.acquire("k", 60_000, unaborted));
  expect(await lock.release("k", token)).toEqual({ outcome: "released" });
  await redis.client.set("test:lock:k", "somebody else", "PX", 20_000);
  await until(
    () => redis.client.pttl("test:lock:k"),
    (pttl) => pttl > 20_000,
  );
  expect(await redis.client.get("test:lock:k")).toBe("somebody else");
});

test("lock by the client's wall clock: a clock that is ahead takes the lock from its holder", async () => {
  const a = await make(wallClockOfClient);
  const b = await make(wallClockOfClient, redis.port, { clock: { now: () => Date.now() + 60_000 } });
  const first = granted(await a.acquire("k", 30_000, unaborted));
  const second = granted(await b.acquire("k", 30_000, unaborted));
  expect(await redis.client.get("test:lock:k")).toBe(second.token);
  expect(await a.release("k", first.token)).toEqual({ outcome: "not-owner" });
});

test("re-entrant by process: two jobs of one process hold one lock, and the first to end frees it", async () => {
  const [a, b] = [await make(reentrantByProcess), await make(reentrantByProcess)];
  const other = await make(reentrantByProcess, redis.port, { options: { identity: "another process" } });
  const { token } = granted(await a.acquire("k", 30_000, unaborted));
  granted(await b.acquire("k", 30_000, unaborted));
  expect(await other.acquire("k", 30_000, unaborted)).toEqual({ outcome: "refused" });
  expect(await a.release("k", token)).toEqual({ outcome: "released" });
  granted(await other.acquire("k", 30_000, unaborted));
});

test("no TTL: what a holder leaves behind stays", async () => {
  const lock = await make(noTtl);
  granted(await lock.acquire("k", 10, unaborted));
  await lock.close();
  expect(await redis.client.pttl("test:lock:k")).toBe(-1);
});

test("never tells: goes on as if nothing had been when another has its key", async () => {
  const lock = await make(neverTells);
  expect(lock.onLost).toBeUndefined();
  granted(await lock.acquire("k", 60, unaborted));
  await redis.client.set("test:lock:k", "somebody else", "PX", 60_000);
  expect(await redis.client.get("test:lock:k")).toBe("somebody else");
});

test("waits for release: granted when the holder tells, and never when it has died", async () => {
  const [a, b, c] = [await make(waitsForRelease), await make(waitsForRelease), await make(waitsForRelease)];
  const first = granted(await a.acquire("k", 60_000, unaborted));
  const waiting = b.acquire("k", 60_000, unaborted);
  await until(
    () => redis.client.call("PUBSUB", "NUMSUB", `test:released:${first.token}`),
    (reply) => (reply as unknown[])[1] === 1,
  );
  expect(await a.release("k", first.token)).toEqual({ outcome: "released" });
  const second = granted(await waiting);
  const stranded = c.acquire("k", 60_000, unaborted);
  await until(
    () => redis.client.call("PUBSUB", "NUMSUB", `test:released:${second.token}`),
    (reply) => (reply as unknown[])[1] === 1,
  );
  // As its expiry would: without a word.
  await redis.client.del("test:lock:k");
  const outcome = await Promise.race([stranded, new Promise((resolve) => setTimeout(resolve, 300, "still waiting"))]);
  expect(outcome).toBe("still waiting");
});
