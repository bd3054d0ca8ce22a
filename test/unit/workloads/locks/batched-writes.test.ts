import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { batchWrites } from "../../../../workloads/locks/batched-writes.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let redis: TestRedis;
let client: Redis;

beforeAll(async () => {
  redis = await startTestRedis();
  client = new Redis({ port: redis.port, host: "127.0.0.1", retryStrategy: () => 10 });
  batchWrites(client);
});
afterAll(async () => {
  client.disconnect();
  await redis.stop();
});

test("commands before the connection is there are answered", async () => {
  expect(await client.ping()).toBe("PONG");
});

test("commands of one turn leave together, and each has its own answer", async () => {
  const { bytesWritten } = client.stream;
  const answers = [client.set("a", "1"), client.incr("a"), client.get("a")];
  // Nothing has left yet, the end of the turn sends it.
  expect(client.stream.writableCorked).toBe(1);
  expect(client.stream.writableLength).toBeGreaterThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(client.stream.writableCorked).toBe(0);
  expect(client.stream.bytesWritten).toBeGreaterThan(bytesWritten);
  expect(await Promise.all(answers)).toEqual(["OK", 2, "2"]);
});

test("commands that are set going by an answer leave, too", async () => {
  await client.set("b", "1");
  expect(await client.get("b")).toBe("1");
});

test("a connection that was lost in the middle of a batch hinders none that follows", async () => {
  const lost = client.get("b");
  client.stream.destroy();
  expect(await lost).toBe("1");
  expect(await client.get("b")).toBe("1");
});
