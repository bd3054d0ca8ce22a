import type { QueueProducer } from "../../contracts/queue.ts";
import { sleepUnlessAborted } from "./abort.ts";

export interface DrainResult {
  drained: boolean;
  waiting: number;
  pending: number;
}

const LOOK_EVERY_MS = 40;

/** Waits until nothing is waiting or pending in the queue, at the latest until `limitMs` have passed. */
export async function drainQueue(queue: QueueProducer, limitMs: number, signal: AbortSignal): Promise<DrainResult> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const { waiting, pending } = await queue.depth();
    if (waiting === 0 && pending === 0) return { drained: true, waiting, pending };
    if (signal.aborted || performance.now() > deadline) return { drained: false, waiting, pending };
    await sleepUnlessAborted(LOOK_EVERY_MS, signal);
  }
}
