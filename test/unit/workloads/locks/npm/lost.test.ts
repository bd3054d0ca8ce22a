import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LockModule } from "../../../../../harness/contracts/lock-adapter.ts";
import { packageRoot } from "../../../../../harness/package-root.ts";
import { npmLocks } from "../../../../../workloads/locks/npm/registry.ts";
import { granted, lockContext, unaborted, until } from "../../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../../fixtures/workloads/redis-server.ts";

let servers: TestRedis[];
beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: 5 }, () => startTestRedis()));
});
beforeEach(async () => {
  await Promise.all(servers.map(({ client }) => client.flushall()));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

const tellsOfLoss = [
  "redlock-5-using",
  "sesamecare-redlock-using",
  "redis-semaphore",
  "redis-semaphore-redlock",
  "redlock-universal-using",
  "redlock-universal-redlock-using",
];

async function make({ module }: { module: string }) {
  const path = join(packageRoot(), "workloads", `${module}.ts`);
  const { default: lockModule } = (await import(pathToFileURL(path).href)) as { default: LockModule };
  const ports = servers.slice(0, lockModule.capabilities?.nodes).map(({ port }) => port);
  return lockModule.createLock(lockContext(ports));
}

test.each(npmLocks.filter(({ name }) => tellsOfLoss.includes(name)))(
  "$name tells its holder when another has the key, and says why",
  async (entry) => {
    const lock = await make(entry);
    const lost: { key: string; token: string; reason: string }[] = [];
    lock.onLost?.((loss) => lost.push(loss));
    const { token } = granted(await lock.acquire("k", 1_500, unaborted));
    for (const { node, key } of lock.redisKeys("k")) {
      await (servers[node - 1] as TestRedis).client.set(key, "somebody else", "PX", 60_000);
    }
    await until(
      () => lost,
      (losses) => losses.length > 0,
    );
    expect(lost[0]).toMatchObject({ key: "k", token });
    expect(lost[0]?.reason).not.toBe("");
    expect((await lock.release("k", token)).outcome).not.toBe("released");
    await lock.close();
  },
);

test.each(npmLocks.filter(({ name }) => !tellsOfLoss.includes(name)))(
  "$name has no such signal, and claims none",
  async (entry) => {
    const lock = await make(entry);
    expect(lock.onLost).toBeUndefined();
    await lock.close();
  },
);
