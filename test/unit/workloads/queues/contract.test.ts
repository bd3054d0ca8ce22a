import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Delivery, QueueConsumer, QueueContext, QueueModule } from "../../../../harness/contracts/queue.ts";
import { packageRoot } from "../../../../harness/package-root.ts";
import { queueRegistry } from "../../../../workloads/queues/registry.ts";
import { until } from "../../../fixtures/workloads/lock-context.ts";
import { startTestRedis, type TestRedis } from "../../../fixtures/workloads/redis-server.ts";

// Every queue that ships, held against the contract on a real server.

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

const VISIBILITY_MS = 400;

describe.each(queueRegistry)("$name", ({ module }) => {
  let queue: QueueModule;
  beforeAll(async () => {
    const path = join(packageRoot(), "workloads", `${module}.ts`);
    queue = ((await import(pathToFileURL(path).href)) as { default: QueueModule }).default;
  });

  function context(overrides: Partial<QueueContext> = {}): QueueContext {
    return {
      node: { host: "127.0.0.1", port: redis.port, db: 0 },
      keyPrefix: "test:",
      consumer: "1.1",
      visibilityMs: VISIBILITY_MS,
      claimIntervalMs: 40,
      concurrency: 4,
      ...overrides,
    };
  }

  async function produce(...jobs: string[]) {
    const producer = queue.createProducer(context());
    closing.push(producer);
    await producer.setup();
    for (const job of jobs) await producer.add({ job, key: `key of ${job}`, durationUs: 1_500 });
    return producer;
  }

  async function consume(
    handler: (delivery: Delivery) => Promise<void>,
    overrides: Partial<QueueContext> = {},
  ): Promise<QueueConsumer> {
    const consumer = queue.createConsumer(context(overrides));
    closing.push(consumer);
    await consumer.start(handler);
    return consumer;
  }

  const isEmpty = ({ waiting, pending }: { waiting: number; pending: number }) => waiting + pending === 0;

  test("hands over each job once, as it was sent, and is empty when all are acknowledged", async () => {
    const jobs = Array.from({ length: 20 }, (_, index) => `job${index}`);
    const producer = await produce(...jobs);
    expect(await producer.depth()).toEqual({ waiting: 20, pending: 0 });
    const seen: Delivery[] = [];
    for (const consumer of ["1.1", "2.1"]) {
      await consume(
        async (delivery) => {
          seen.push(delivery);
          await delivery.ack();
        },
        { consumer },
      );
    }
    await until(() => producer.depth(), isEmpty);
    expect(seen.map(({ job }) => job).sort()).toEqual([...jobs].sort());
    expect(seen[0]).toMatchObject({ key: `key of ${seen[0]?.job}`, durationUs: 1_500, attempt: 1 });
  });

  test("a job that its handler left comes again, and its count says so", async () => {
    const producer = await produce("job1");
    const attempts: number[] = [];
    await consume(async ({ attempt, ack }) => {
      attempts.push(attempt);
      if (attempt === 3) await ack();
    });
    await until(() => producer.depth(), isEmpty);
    expect(attempts).toEqual([1, 2, 3]);
  });

  test("handles no more at once than it may", async () => {
    const producer = await produce(...Array.from({ length: 12 }, (_, index) => `job${index}`));
    let running = 0;
    let most = 0;
    await consume(
      async ({ ack }) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        await ack();
      },
      { concurrency: 3 },
    );
    await until(() => producer.depth(), isEmpty);
    expect(most).toBe(3);
  });

  test("look and ack: this delivery is the latest, and a repeated acknowledgement does no harm", async () => {
    const producer = await produce("job1");
    const looks: boolean[] = [];
    await consume(async ({ look, ack }) => {
      looks.push(await look());
      await ack();
      await ack();
    });
    await until(() => producer.depth(), isEmpty);
    expect(looks).toEqual([true]);
  });

  test("counts what is waiting and what is pending apart", async () => {
    const producer = await produce("job1", "job2", "job3");
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await consume(
      async ({ ack }) => {
        await finished;
        await ack();
      },
      { concurrency: 1 },
    );
    await until(
      () => producer.depth(),
      ({ pending }) => pending === 1,
    );
    expect(await producer.depth()).toEqual({ waiting: 2, pending: 1 });
    finish();
    await until(() => producer.depth(), isEmpty);
  });

  test("paused, it takes no more, and what it has goes on to its acknowledgement", async () => {
    const producer = await produce("job1");
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const seen: string[] = [];
    let acknowledged = false;
    const consumer = await consume(async ({ job, ack }) => {
      seen.push(job);
      await finished;
      await ack();
      acknowledged = true;
    });
    await until(
      () => seen,
      (jobs) => jobs.length === 1,
    );
    await consumer.pause();
    await producer.add({ job: "job2", key: "k", durationUs: 0 });
    finish();
    await until(
      () => acknowledged,
      (done) => done,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { waiting, pending } = await producer.depth();
    expect(waiting + pending).toBe(1);
    expect(seen).toEqual(["job1"]);
  });
});
