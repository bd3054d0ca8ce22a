import { expect, test } from "vitest";
import type { QueuedJob, QueueProducer } from "../../../../../harness/contracts/queue.ts";
import type { Journal, JournalEntry } from "../../../../../harness/lock/journal.ts";
import { produce, warmUpProducer } from "../../../../../harness/lock/orchestrator/producer.ts";

const startNs = process.hrtime.bigint();
const now = () => Number(process.hrtime.bigint() - startNs);

function harness(add: (job: QueuedJob) => Promise<void>) {
  const events: JournalEntry[] = [];
  const journal: Journal = {
    now,
    record: (entry) => events.push({ atNs: now(), ...entry }),
    recordSpelled() {},
    flush() {},
    close() {},
  };
  const queue: QueueProducer = {
    ...{ add, async setup() {}, async close() {} },
    depth: async () => ({ waiting: 0, pending: 0 }),
  };
  return { events, options: { queue, journal, loadStartNs: now(), signal: new AbortController().signal } };
}

const arrival = (job: string, atUs: number) => ({ job, key: job, atUs, durationUs: 0 });

test("no job is sent before its time, and each is written down with its planned time", async () => {
  const { events, options } = harness(async () => {});
  const arrivals = [arrival("a", 500), arrival("b", 3_000), arrival("c", 12_000)];
  const production = produce(arrivals, options);
  await production.sent;
  await production.settled();
  expect(production.count()).toBe(3);
  for (const { job, atUs } of arrivals) {
    const invoke = events.find((event) => event.job === job && event.phase === "invoke");
    expect(invoke!.detail!.plannedAtNs).toBe(options.loadStartNs + atUs * 1_000);
    expect(invoke!.atNs).toBeGreaterThanOrEqual(options.loadStartNs + atUs * 1_000);
    expect(events.some((event) => event.job === job && event.phase === "ok")).toBe(true);
  }
});

test("the loop is open: a queue that answers nobody holds no later job back", async () => {
  const { events, options } = harness(() => new Promise(() => {}));
  const production = produce([arrival("a", 0), arrival("b", 2_000)], options);
  await production.sent;
  expect(events.filter(({ phase }) => phase === "invoke")).toHaveLength(2);
  expect(events.filter(({ phase }) => phase === "ok")).toHaveLength(0);
});

const refusal = () => new Error("OOM command not allowed");
const refusals: [string, () => Promise<void>][] = [
  ["later", () => Promise.reject(refusal())],
  [
    "at once",
    () => {
      throw refusal();
    },
  ],
];

test.each(refusals)("a job that the queue refused %s is unknown, with the reason", async (_when, refuse) => {
  const { events, options } = harness(refuse);
  const production = produce([arrival("a", 0)], options);
  await production.sent;
  await production.settled();
  expect(events[0]).toMatchObject({ op: "arrive", phase: "invoke", job: "a" });
  expect(events.at(-1)).toMatchObject({ op: "arrive", phase: "info", error: "OOM command not allowed" });
});

test("warming up ends by itself", async () => {
  await expect(warmUpProducer()).resolves.toBeUndefined();
});
