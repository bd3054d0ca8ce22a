import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Delivery, QueueContext } from "../../../../harness/contracts/queue.ts";
import streams from "../../../../workloads/queues/streams.ts";
import { until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

let redis: TestRedis;
const closing: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  redis = await startTestRedis();
});
beforeEach(() => redis.client.flushall());
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});
afterAll(() => redis.stop());

const context = (consumer: string): QueueContext => ({
  ...{ node: { host: "127.0.0.1", port: redis.port, db: 0 }, keyPrefix: "test:", consumer },
  ...{ visibilityMs: 100, claimIntervalMs: 20, concurrency: 2 },
});

test("a job that runs beyond the visibility timeout is another's by then: the first look says so", async () => {
  const producer = streams.createProducer(context("0"));
  closing.push(producer);
  await producer.setup();
  await producer.add({ job: "job1", key: "k", durationUs: 0 });
  const deliveries: (Delivery & { by: string })[] = [];
  for (const by of ["1.1", "2.1"]) {
    const consumer = streams.createConsumer(context(by));
    closing.push(consumer);
    await consumer.start(async (delivery) => {
      deliveries.push({ ...delivery, by });
      await new Promise((resolve) => setTimeout(resolve, 5_000).unref());
    });
  }
  await until(
    () => deliveries.length,
    (count) => count >= 2,
  );
  const [first, second] = deliveries;
  expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
  expect(first?.id).toBe(second?.id);
  expect(await first?.look()).toBe(false);
});

test("what the producer warms up with is gone when it is set up, and was never in the queue", async () => {
  const producer = streams.createProducer(context("0"));
  closing.push(producer);
  await producer.setup();
  expect(await redis.client.keys("*")).toEqual(["test:queue"]);
  expect(await producer.depth()).toEqual({ waiting: 0, pending: 0 });
});
