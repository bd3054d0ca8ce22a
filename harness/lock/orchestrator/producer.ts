import type { PlannedArrival } from "../../contracts/lock-plan.ts";
import type { QueuedJob, QueueProducer } from "../../contracts/queue.ts";
import { messageOf } from "../../errors.ts";
import type { Journal } from "../journal.ts";
import { sleepUnlessAborted } from "./abort.ts";

/** Timers are late by up to a millisecond: wake this early, then nap until the moment has come. */
const WAKE_EARLY_US = 1_200;
/**
 * The longest nap, µs: the event loop turns between naps, so that replies are read at most this late. A loop that only
 * turned would take a whole core from the workers.
 */
const NAP_US = 200;
/** The longest nap while the queue has still to confirm a job, µs. */
const NAP_WHILE_UNCONFIRMED_US = 50;
/** What a nap takes longer than it was asked to (the kernel's timer slack), µs. */
const NAP_SLACK_US = 60;

const WARM_UP_JOBS = 50;
const WARM_UP_EVERY_US = 200;

export interface Production {
  /** Resolves when every arrival was sent; those that the queue has not confirmed yet go on. */
  sent: Promise<void>;
  /** Resolves when every arrival that was sent was confirmed or refused. */
  settled(): Promise<void>;
  /** Jobs sent so far. */
  count(): number;
}

/**
 * The open loop: sends each job at its planned moment, whatever became of the ones before it.
 * @param loadStartNs start of the round's load, ns since the start of the run
 */
export function produce(
  arrivals: readonly PlannedArrival[],
  {
    queue,
    journal,
    loadStartNs,
    signal,
  }: { queue: Pick<QueueProducer, "add">; journal: Journal; loadStartNs: number; signal: AbortSignal },
): Production {
  const unsettled = new Set<Promise<void>>();
  let sentCount = 0;

  /** Turns what a queue throws at once into a rejection, like what it says later. */
  async function send(job: QueuedJob): Promise<void> {
    await queue.add(job);
  }

  async function add({ job, key, atUs, durationUs }: PlannedArrival): Promise<void> {
    const plannedAtNs = loadStartNs + atUs * 1000;
    const atNs = journal.now();
    const adding = send({ job, key, durationUs });
    // Written once the job is under way: what it costs makes no job late.
    journal.record({ atNs, op: "arrive", phase: "invoke", job, key, detail: { plannedAtNs } });
    try {
      await adding;
      journal.record({ op: "arrive", phase: "ok", job, key });
    } catch (error) {
      journal.record({ op: "arrive", phase: "info", job, key, error: messageOf(error) });
    }
  }

  async function sendAll(): Promise<void> {
    for (const arrival of arrivals) {
      await until(loadStartNs / 1000 + arrival.atUs, {
        nowUs: () => journal.now() / 1000,
        longestNapUs: () => (unsettled.size > 0 ? NAP_WHILE_UNCONFIRMED_US : NAP_US),
        signal,
      });
      if (signal.aborted) return;
      sentCount += 1;
      const adding = add(arrival);
      unsettled.add(adding);
      void adding.finally(() => unsettled.delete(adding));
    }
  }

  return {
    sent: sendAll(),
    count: () => sentCount,
    async settled() {
      await Promise.all(unsettled);
    },
  };
}

/**
 * Lets the open loop run for some milliseconds with jobs that go nowhere. What runs for the first time is compiled first,
 * and that would make the first jobs of a round late.
 */
export async function warmUpProducer(): Promise<void> {
  const startNs = process.hrtime.bigint();
  const now = () => Number(process.hrtime.bigint() - startNs);
  const journal: Journal = { now, record() {}, recordSpelled() {}, flush() {}, close() {} };
  const nowhere = { add: async () => {} };
  const arrivals = Array.from({ length: WARM_UP_JOBS }, (_, index) => ({
    ...{ job: `warm-up-${index}`, key: "warm-up", durationUs: 0 },
    atUs: index * WARM_UP_EVERY_US,
  }));
  const { signal } = new AbortController();
  const production = produce(arrivals, { queue: nowhere, journal, loadStartNs: now(), signal });
  await production.sent;
  await production.settled();
}

/** Waits until the given time, µs. A time that has passed costs nothing. */
async function until(
  atUs: number,
  { nowUs, longestNapUs, signal }: { nowUs(): number; longestNapUs(): number; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const leftUs = atUs - nowUs();
    if (leftUs <= 0 || signal.aborted) return;
    if (leftUs > WAKE_EARLY_US)
      await sleepUnlessAborted(Math.max(1, Math.floor((leftUs - WAKE_EARLY_US) / 1000)), signal);
    else {
      await new Promise((resolve) => setImmediate(resolve));
      nap(Math.min(atUs - nowUs() - NAP_SLACK_US, longestNapUs()));
    }
  }
}

const napCell = new Int32Array(new SharedArrayBuffer(4));

function nap(us: number): void {
  if (us > 0) Atomics.wait(napCell, 0, 0, us / 1000);
}
