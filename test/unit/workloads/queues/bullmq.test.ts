import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Delivery, QueueContext, QueueEvent, QueueModule } from "../../../../harness/contracts/queue.ts";
import bullmq from "../../../../workloads/queues/bullmq.ts";
import bullmqManual from "../../../../workloads/queues/bullmq-manual.ts";
import { bullmqSettings } from "../../../../workloads/queues/bullmq-options.ts";
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

test("the lock lasts as long as the visibility timeout, and stalls are looked for as often, unless told", () => {
  expect(bullmqSettings({ visibilityMs: 2_000 })).toEqual({
    ...{ lockDuration: 2_000, stalledInterval: 2_000, maxStalledCount: 1 },
  });
  const options = { lockDurationMs: 1_000, stalledIntervalMs: 500, maxStalledCount: 0 };
  expect(bullmqSettings({ visibilityMs: 2_000, options })).toEqual({
    ...{ lockDuration: 1_000, stalledInterval: 500, maxStalledCount: 0 },
  });
  expect(() => bullmqSettings({ visibilityMs: 1, options: { lockduration: 5 } })).toThrow(
    /options of bullmq: .*lockduration.*lockDurationMs, stalledIntervalMs, maxStalledCount/,
  );
});

const queues: [string, QueueModule][] = [
  ["bullmq", bullmq],
  ["bullmq-manual", bullmqManual],
];

describe.each(queues)("%s", (name, queue) => {
  const LOCK = "test:bull:jobs:job1:lock";

  async function start(options: QueueContext["options"], handler: (delivery: Delivery, by: string) => Promise<void>) {
    const events: (QueueEvent & { by: string })[] = [];
    const context = (by: string): QueueContext => ({
      ...{ node: { host: "127.0.0.1", port: redis.port, db: 0 }, keyPrefix: "test:", consumer: by },
      ...{ visibilityMs: 300, claimIntervalMs: 20, concurrency: 1, options: options ?? {} },
      onEvent: (event) => events.push({ ...event, by }),
    });
    const producer = queue.createProducer(context("0"));
    closing.push(producer);
    await producer.setup();
    await producer.add({ job: "job1", key: "k", durationUs: 0 });
    for (const by of ["1.1", "2.1"]) {
      const consumer = queue.createConsumer(context(by));
      closing.push(consumer);
      await consumer.start((delivery) => handler(delivery, by));
    }
    return { producer, events };
  }

  test("a job whose lock is gone stalls, goes to another, and is nothing to acknowledge for the first", async () => {
    const deliveries: Delivery[] = [];
    let refusal: unknown;
    const { producer, events } = await start({ stalledIntervalMs: 100 }, async (delivery) => {
      deliveries.push(delivery);
      if (delivery.attempt > 1) return delivery.ack();
      expect(await delivery.look()).toBe(true);
      await redis.client.del(LOCK);
      expect(await delivery.look()).toBe(false);
      await until(
        () => deliveries.length,
        (count) => count === 2,
      );
      await delivery.ack().catch((error: unknown) => {
        refusal = error;
      });
    });
    await until(
      () => refusal,
      (error) => error !== undefined,
    );
    expect(refusal).toMatchObject({ code: "DELIVERY_GONE" });
    expect(deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(events.filter(({ event }) => event === "stalled")).toMatchObject([{ job: "job1" }]);
    await until(
      () => producer.depth(),
      ({ waiting, pending }) => waiting + pending === 0,
    );
  });

  test("the lock is renewed while the job runs, and the worker tells when it no longer can be", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { events } = await start({ lockDurationMs: 300, stalledIntervalMs: 60_000 }, async ({ ack }) => {
      await finished;
      await ack().catch(() => {});
    });
    let least = 300;
    await until(
      () => redis.client.pttl(LOCK),
      (pttl) => {
        const isRenewed = pttl > least;
        if (pttl > 0) least = Math.min(least, pttl);
        return isRenewed;
      },
    );
    await redis.client.set(LOCK, "another worker's", "PX", 60_000);
    await until(
      () => events.filter(({ event }) => event === "lock lost"),
      (lost) => lost.length > 0,
    );
    expect(events.find(({ event }) => event === "lock lost")).toMatchObject({ job: "job1" });
    finish();
  });

  test.skipIf(name === "bullmq-manual")("a job that stalls too often is given up, and the worker says so", async () => {
    const { producer, events } = await start({ stalledIntervalMs: 100, maxStalledCount: 0 }, async ({ attempt }) => {
      if (attempt === 1) await redis.client.del(LOCK);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    });
    await until(
      () => events.filter(({ event }) => event === "failed"),
      (failures) => failures.length > 0,
    );
    expect(events.find(({ event }) => event === "failed")).toMatchObject({
      ...{ job: "job1", message: "job stalled more than allowable limit" },
    });
    await until(
      () => producer.depth(),
      ({ waiting, pending }) => waiting + pending === 0,
    );
  });
});
