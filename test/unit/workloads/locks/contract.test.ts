import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Lock, LockContext, LockModule, PhysicalKey } from "../../../../harness/contracts/lock-adapter.ts";
import { packageRoot } from "../../../../harness/package-root.ts";
import { lockRegistry } from "../../../../workloads/locks/registry.ts";
import { granted, lockContext, unaborted, until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

// Every lock on Redis that ships, held against the contract on real servers. What a broken lock is there to get wrong is
// left out.

const elsewhere = ["locks/none", "locks/mutex-server", "locks/broken/waits-for-release"];
const entries = lockRegistry.filter(({ module }) => !elsewhere.includes(module));
const withoutLease = ["broken-wall-clock", "broken-no-ttl"];
const held = (name: string) => `held by ${name}`;

let servers: TestRedis[];
const open: Lock[] = [];

beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: 5 }, () => startTestRedis()));
});
afterEach(async () => {
  for (const server of servers) server.resume();
  await Promise.all(open.splice(0).map((lock) => lock.close()));
  await Promise.all(servers.map(({ client }) => client.flushall()));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

describe.each(entries)("$name", ({ name, module, family }) => {
  let lockModule: LockModule;
  beforeAll(async () => {
    const path = join(packageRoot(), "workloads", `${module}.ts`);
    lockModule = ((await import(pathToFileURL(path).href)) as { default: LockModule }).default;
  });

  async function make(overrides: Partial<LockContext> = {}): Promise<Lock> {
    const ports = servers.slice(0, lockModule.capabilities?.nodes).map(({ port }) => port);
    // Its locks of one process share a token, which is what is wrong with it: here each is given one.
    const options = name === "broken-reentrant-by-process" ? { identity: `process ${open.length}` } : {};
    const lock = await lockModule.createLock(lockContext(ports, { options, ...overrides }));
    open.push(lock);
    return lock;
  }

  /** The value of the lock's key on each node, by the name that the lock itself gives it. */
  const valuesOf = (lock: Lock, key: string) =>
    Promise.all(lockKeys(lock, key).map((physical) => clientOf(physical.node).get(physical.key)));
  const lockKeys = (lock: Lock, key: string) => lock.redisKeys(key).filter(({ role = "lock" }) => role === "lock");
  const clientOf = (node: number) => (servers[node - 1] as TestRedis).client;
  const isGone = (values: (string | null)[]) => values.every((value) => value === null);

  test("says beforehand what it can do", async () => {
    const lock = await make();
    expect(lockModule.capabilities).toEqual(lock.capabilities);
    expect(lock.extend === undefined).toBe(lock.capabilities.renewal !== "manual");
  });

  test("a grant is a key with a lease, where redisKeys says it is, and nowhere else", async () => {
    const lock = await make();
    const { token, fencingToken } = granted(await lock.acquire("order-1", 30_000, unaborted));
    expect(token).not.toBe("");
    expect(lock.redisKeys("order-1")).toSatisfy((keys: unknown[]) => keys.length >= (lock.capabilities.nodes ?? 1));
    await until(
      () => valuesOf(lock, "order-1"),
      (values) => values.every((value) => value !== null),
    );
    for (const { node, key } of withoutLease.includes(name) ? [] : lockKeys(lock, "order-1")) {
      const pttl = await clientOf(node).pttl(key);
      expect(pttl).toBeGreaterThan(0);
      expect(pttl).toBeLessThanOrEqual(30_000);
    }
    const named = new Set(lock.redisKeys("order-1").map(({ node, key }) => `${node} ${key}`));
    for (const [index, { client }] of servers.entries()) {
      for (const key of await client.keys("*")) expect(named).toContain(`${index + 1} ${key}`);
    }
    expect(typeof fencingToken).toBe(lock.capabilities.fencing === "none" ? "undefined" : "number");
  });

  test("the token is the value of the key", async () => {
    const lock = await make();
    const { token } = granted(await lock.acquire("order-1", 30_000, unaborted));
    expect(await valuesOf(lock, "order-1")).toContain(token);
  });

  test("another is refused while it is held, and granted once its owner freed it", async () => {
    const [a, b] = [await make(), await make()];
    const { token } = granted(await a.acquire("order-1", 30_000, unaborted));
    expect(await b.acquire("order-1", 30_000, unaborted)).toMatchObject({ outcome: "refused" });
    const { outcome } = await a.release("order-1", token);
    expect(outcome).toBe(name === "simple-redis-mutex" ? "unknown" : "released");
    await until(() => valuesOf(a, "order-1"), isGone);
    granted(await b.acquire("order-1", 30_000, unaborted));
  });

  test.skipIf(name === "broken-reentrant-by-process")("keys are apart", async () => {
    const lock = await make();
    const grants = await Promise.all(["a", "b", "c"].map((key) => lock.acquire(key, 30_000, unaborted)));
    expect(new Set(grants.map((grant) => granted(grant).token)).size).toBe(3);
  });

  test.skipIf(family === "broken")("a release with a token of somebody else frees nothing", async () => {
    const [a, b] = [await make(), await make()];
    const { token } = granted(await a.acquire("order-1", 30_000, unaborted));
    expect(await b.release("order-1", "not the token")).toEqual({ outcome: "not-owner" });
    expect(await valuesOf(a, "order-1")).toContain(token);
  });

  test.skipIf(family === "broken")("a release that comes too late leaves the next holder's lock alone", async () => {
    const lock = await make();
    const { token } = granted(await lock.acquire("order-1", 60_000, unaborted));
    for (const { node, key } of lockKeys(lock, "order-1")) {
      await clientOf(node).set(key, held("another"), "PX", 60_000);
    }
    const { outcome } = await lock.release("order-1", token);
    expect(outcome).toBe(name === "simple-redis-mutex" ? "unknown" : "not-owner");
    expect(await valuesOf(lock, "order-1")).toEqual(lockKeys(lock, "order-1").map(() => held("another")));
  });

  test.skipIf(name === "broken-no-ttl")("the lease ends at its TTL, or is renewed by the lock itself", async () => {
    const [a, b] = [await make(), await make()];
    const isRenewedByItself = a.capabilities.renewal === "auto";
    const ttlMs = isRenewedByItself ? 1_300 : 250;
    granted(await a.acquire("order-1", ttlMs, unaborted));
    if (!isRenewedByItself) {
      await until(
        () => b.acquire("order-1", ttlMs, unaborted),
        ({ outcome }) => outcome === "granted",
      );
      return;
    }
    const { node, key } = lockKeys(a, "order-1")[0] as PhysicalKey;
    let least = ttlMs;
    let isThere = false;
    await until(
      () => clientOf(node).pttl(key),
      (pttl) => {
        // A quorum may grant before this node has the key.
        isThere ||= pttl > 0;
        if (!isThere) return false;
        const isRenewed = pttl > least;
        least = Math.min(least, pttl);
        return isRenewed;
      },
    );
    expect(least).toBeGreaterThan(0);
  });

  test("an extension lengthens the lease of its owner, and of nobody else", async () => {
    const lock = await make();
    if (!lock.extend) return;
    const { token } = granted(await lock.acquire("order-1", 2_000, unaborted));
    const keys = lockKeys(lock, "order-1");
    for (const physical of keys) await clientOf(physical.node).pexpire(physical.key, 1_000);
    expect(await lock.extend("order-1", token, 2_000)).toMatchObject({ outcome: "extended" });
    await until(
      () => Promise.all(keys.map((physical) => clientOf(physical.node).pttl(physical.key))),
      (pttls) => pttls.every((pttl) => pttl > 1_000),
    );
    for (const physical of keys) await clientOf(physical.node).set(physical.key, held("another"), "PX", 60_000);
    expect(await lock.extend("order-1", token, 600_000)).toEqual({ outcome: "not-owner" });
    for (const physical of keys) expect(await clientOf(physical.node).pttl(physical.key)).toBeLessThanOrEqual(60_000);
  });

  test("with a command timeout it does not wait for a mute server for ever, if it says so", async () => {
    const lock = await make({ commandTimeoutMs: 200 });
    granted(await lock.acquire("warm", 30_000, unaborted));
    for (const server of servers) server.pause();
    const pending = lock.acquire("order-1", 600_000, unaborted);
    if ((lock.capabilities.commandTimeout ?? "full") !== "full") {
      const first = await Promise.race([pending, new Promise((resolve) => setTimeout(resolve, 600, "still waiting"))]);
      expect(first).toBe("still waiting");
      for (const server of servers) server.resume();
      granted(await pending);
      return;
    }
    const outcome = await pending;
    expect(outcome.outcome).toBe("indeterminate");
    if (lock.capabilities.nodes > 1) {
      const { nodeErrors = [] } = outcome as { nodeErrors?: readonly { node: number; error: unknown }[] };
      expect(nodeErrors.length).toBeGreaterThanOrEqual(3);
      for (const { error } of nodeErrors) expect((error as Error).message).toMatch(/tim(ed out|e)|no answer/i);
    }
  });
});
