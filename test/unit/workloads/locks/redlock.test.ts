import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AcquireOutcome, Lock, LockContext } from "../../../../harness/contracts/lock-adapter.ts";
import redlock from "../../../../workloads/locks/redlock.ts";
import { granted, lockContext, unaborted, until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let servers: TestRedis[];
const open: Lock[] = [];

beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: 5 }, () => startTestRedis()));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((lock) => lock.close()));
  for (const server of servers) server.resume();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

async function make(overrides: Partial<LockContext> = {}, nodes = servers): Promise<Lock> {
  const ports = nodes.map(({ port }) => port);
  const lock = await redlock.createLock(lockContext(ports, overrides));
  open.push(lock);
  return lock;
}

const values = (key: string, nodes = servers) => Promise.all(nodes.map(({ client }) => client.get(`test:lock:${key}`)));

const nodeErrorsOf = (outcome: AcquireOutcome) =>
  "nodeErrors" in outcome ? outcome.nodeErrors?.map(({ node, error }) => `${node}: ${(error as Error).message}`) : [];

/** A generous limit per node, so that a busy machine decides nothing. */
const patient = { options: { nodeTimeoutMs: 2_000 } };

test("sets the key on every node, refuses others, and frees every node", async () => {
  const [a, b] = [await make(patient), await make(patient)];
  const { token } = granted(await a.acquire("k", 10_000, unaborted));
  await until(
    () => values("k"),
    (found) => found.every((value) => value === token),
  );
  expect(await b.acquire("k", 10_000, unaborted)).toEqual({ outcome: "refused" });
  expect(await b.release("k", "another token")).toEqual({ outcome: "not-owner" });
  expect(await values("k")).toEqual(Array(5).fill(token));
  expect(await a.release("k", token)).toEqual({ outcome: "released" });
  await until(
    () => values("k"),
    (found) => found.every((value) => value === null),
  );
});

test("validUntil is the wall clock plus TTL - elapsed - (1 % + 2 ms), elapsed on the monotonic clock", async () => {
  const times = [1_000, 1_050];
  const lock = await make({ ...patient, clock: { now: () => 5_000_000 }, monotonicMs: () => times.shift() ?? 0 });
  expect(granted(await lock.acquire("valid", 15_000, unaborted)).validUntil).toBe(5_000_000 + 15_000 - 50 - 152);
});

test("a majority that came too late is no grant, and every node is freed", async () => {
  const times = [0, 400];
  const lock = await make({ ...patient, monotonicMs: () => times.shift() ?? 0 });
  const outcome = await lock.acquire("late", 300, unaborted);
  expect(outcome).toMatchObject({ outcome: "failed" });
  expect(String((outcome as { error: Error }).error.message)).toContain("105 ms too late for a TTL of 300 ms");
  expect(await values("late")).toEqual(Array(5).fill(null));
});

test("two nodes that swallow every byte do not keep it from a grant", async () => {
  const lock = await make({ options: { nodeTimeoutMs: 300 } });
  for (const server of servers.slice(0, 2)) server.pause();
  const { token } = granted(await lock.acquire("mute-2", 10_000, unaborted));
  expect(await values("mute-2", servers.slice(2))).toEqual(Array(3).fill(token));
  expect(await lock.release("mute-2", token)).toEqual({ outcome: "released" });
});

test("three mute nodes: nobody knows; each error is named; the keys are taken back, also where nothing was heard", async () => {
  const lock = await make({ options: { nodeTimeoutMs: 300 } });
  for (const server of servers.slice(0, 3)) server.pause();
  const outcome = await lock.acquire("mute-3", 60_000, unaborted);
  expect(outcome).toMatchObject({ outcome: "indeterminate" });
  expect(nodeErrorsOf(outcome)).toEqual([1, 2, 3].map((node) => `${node}: no answer within 300 ms`));
  for (const server of servers) server.resume();
  await until(
    () => values("mute-3"),
    (found) => found.every((value) => value === null),
  );
});

test("three nodes that are down: failed, and why is said for each; it goes on when they are back", async () => {
  const lock = await make(patient);
  await Promise.all(servers.slice(2).map((server) => server.kill()));
  const outcome = await until(
    () => lock.acquire("down", 10_000, unaborted),
    ({ outcome: word }) => word === "failed",
  );
  expect(nodeErrorsOf(outcome)).toEqual([3, 4, 5].map((node) => expect.stringMatching(`^${node}: not connected`)));
  expect(await values("down", servers.slice(0, 2))).toEqual([null, null]);
  await Promise.all(servers.slice(2).map((server) => server.restart()));
  await until(
    () => lock.acquire("down", 10_000, unaborted),
    ({ outcome: word }) => word === "granted",
  );
});

test("a minority of keys held by others does not refuse", async () => {
  const lock = await make(patient);
  for (const { client } of servers.slice(0, 2)) await client.set("test:lock:minor", "somebody else");
  const { token } = granted(await lock.acquire("minor", 10_000, unaborted));
  expect(await lock.release("minor", token)).toEqual({ outcome: "released" });
  expect(await values("minor", servers.slice(0, 2))).toEqual(["somebody else", "somebody else"]);
});

test("a split vote frees what it took", async () => {
  const lock = await make(patient);
  for (const { client } of servers.slice(0, 3)) await client.set("test:lock:split", "somebody else");
  expect(await lock.acquire("split", 10_000, unaborted)).toEqual({ outcome: "refused" });
  expect(await values("split", servers.slice(3))).toEqual([null, null]);
});

test("extends on a majority, and not what it does not own", async () => {
  const lock = await make(patient);
  const { token } = granted(await lock.acquire("extend", 5_000, unaborted));
  expect(await lock.extend?.("extend", token, 60_000)).toMatchObject({ outcome: "extended" });
  const lives = await until(
    () => Promise.all(servers.map(({ client }) => client.pttl("test:lock:extend"))),
    (found) => found.every((pttl) => pttl > 5_000),
  );
  expect(lives).toHaveLength(5);
  expect(await lock.extend?.("extend", "another token", 60_000)).toEqual({ outcome: "not-owner" });
});

test("tries again after a random pause when told to, and once when not", async () => {
  const [once, again] = [
    await make(patient),
    await make({ options: { nodeTimeoutMs: 2_000, retries: 200, retryDelayMs: 20 } }),
  ];
  const { token } = granted(await once.acquire("retry", 60_000, unaborted));
  expect(await once.acquire("retry", 60_000, unaborted)).toEqual({ outcome: "refused" });
  const waiting = again.acquire("retry", 60_000, unaborted);
  await once.release("retry", token);
  granted(await waiting);
});

test("works on one node", async () => {
  const one = servers.slice(0, 1);
  const [a, b] = [await make(patient, one), await make(patient, one)];
  const { token } = granted(await a.acquire("one", 10_000, unaborted));
  expect(await b.acquire("one", 10_000, unaborted)).toEqual({ outcome: "refused" });
  expect(await a.release("one", token)).toEqual({ outcome: "released" });
  expect(a.redisKeys("one")).toEqual([{ node: 1, db: 0, key: "test:lock:one" }]);
});
