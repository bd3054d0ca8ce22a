import type { PlannedArrival } from "../../contracts/lock-plan.ts";
import type { QueueProducer } from "../../contracts/queue.ts";
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
/** What a nap takes longer than it was asked to (the kernel's timer slack), µs. */
const NAP_SLACK_US = 60;

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
  }: { queue: QueueProducer; journal: Journal; loadStartNs: number; signal: AbortSignal },
): Production {
  const unsettled = new Set<Promise<void>>();
  let sentCount = 0;

  async function add({ job, key, atUs, durationUs }: PlannedArrival): Promise<void> {
    const plannedAtNs = loadStartNs + atUs * 1000;
    journal.record({ op: "arrive", phase: "invoke", job, key, detail: { plannedAtNs } });
    try {
      await queue.add({ job, key, durationUs });
      journal.record({ op: "arrive", phase: "ok", job, key });
    } catch (error) {
      journal.record({ op: "arrive", phase: "info", job, key, error: messageOf(error) });
    }
  }

  async function sendAll(): Promise<void> {
    for (const arrival of arrivals) {
      await until(loadStartNs / 1000 + arrival.atUs, () => journal.now() / 1000, signal);
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

/** Waits until the given time, µs. A time that has passed costs nothing. */
async function until(atUs: number, nowUs: () => number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const leftUs = atUs - nowUs();
    if (leftUs <= 0 || signal.aborted) return;
    if (leftUs > WAKE_EARLY_US)
      await sleepUnlessAborted(Math.max(1, Math.floor((leftUs - WAKE_EARLY_US) / 1000)), signal);
    else {
      await new Promise((resolve) => setImmediate(resolve));
      nap(atUs - nowUs() - NAP_SLACK_US);
    }
  }
}

const napCell = new Int32Array(new SharedArrayBuffer(4));

function nap(us: number): void {
  if (us > 0) Atomics.wait(napCell, 0, 0, Math.min(us, NAP_US) / 1000);
}
