import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LockModule } from "../../../../../harness/contracts/lock-adapter.ts";
import { packageRoot } from "../../../../../harness/package-root.ts";
import { npmLocks } from "../../../../../workloads/locks/npm/registry.ts";
import { granted, lockContext, unaborted } from "../../../../fixtures/workloads/lock-context.ts";
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

const quorumLocks = await Promise.all(
  npmLocks.map(async ({ name, module }) => {
    const path = join(packageRoot(), "workloads", `${module}.ts`);
    const { default: lockModule } = (await import(pathToFileURL(path).href)) as { default: LockModule };
    return { name, lockModule };
  }),
).then((locks) => locks.filter(({ lockModule }) => (lockModule.capabilities?.nodes ?? 1) > 1));

test.each(quorumLocks)(
  "$name: nodes that answer with an error are named, each with its own",
  async ({ lockModule }) => {
    const lock = await lockModule.createLock(lockContext(servers.map(({ port }) => port)));
    granted(await lock.acquire("before", 600, unaborted));
    // No room for one more key: the server refuses to write, and says so.
    for (const { client } of servers.slice(2)) await client.config("SET", "maxmemory", "1");
    const outcome = await lock.acquire("k", 600, unaborted);
    for (const { client } of servers.slice(2)) await client.config("SET", "maxmemory", "0");
    expect(outcome.outcome).toBe("failed");
    const { nodeErrors = [] } = outcome as { nodeErrors?: readonly { node: number; error: Error }[] };
    expect(nodeErrors.map(({ node, error }) => `${node}: ${error.message}`)).toEqual(
      [3, 4, 5].map((node) => expect.stringMatching(`^${node}: .*OOM command not allowed`)),
    );
    await lock.close();
  },
);

test.each(quorumLocks)("$name: a minority that fails does not make a refusal a failure", async ({ lockModule }) => {
  const lock = await lockModule.createLock(lockContext(servers.map(({ port }) => port)));
  for (const { node, key } of lock.redisKeys("taken").slice(1)) {
    await (servers[node - 1] as TestRedis).client.set(key, "somebody else");
  }
  await servers[0]?.client.config("SET", "maxmemory", "1");
  const outcome = await lock.acquire("taken", 600, unaborted);
  await servers[0]?.client.config("SET", "maxmemory", "0");
  expect(outcome.outcome).toBe("refused");
  await lock.close();
});
