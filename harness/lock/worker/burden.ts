import { Worker } from "node:worker_threads";

/** Threads that do nothing but compute, so that the worker has to share the processor. */
export interface Burden {
  set(threads: number): Promise<void>;
}

const COMPUTE = "let x = 1; for (;;) x = Math.sqrt(x + 2);";

export function createBurden(): Burden {
  let threads: Worker[] = [];
  return {
    async set(count) {
      await Promise.all(threads.map((thread) => thread.terminate()));
      threads = Array.from({ length: count }, () => new Worker(COMPUTE, { eval: true }));
    },
  };
}

/** Keeps the event loop busy. Timers and replies wait until it is over. */
export function blockEventLoop(durationMs: number): void {
  const until = performance.now() + durationMs;
  while (performance.now() < until);
}
