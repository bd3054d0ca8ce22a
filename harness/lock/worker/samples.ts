import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Journal } from "../journal.ts";

const EVERY_MS = 1_000;

/** Records the worker's memory, event loop delay and open handles every second, from its first second on. */
export function startSampling(journal: Journal): () => void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const timer = setInterval(sample, EVERY_MS);
  timer.unref();

  function sample(): void {
    const { rss, heapUsed } = process.memoryUsage();
    journal.record({
      op: "sample",
      phase: "info",
      detail: {
        rssBytes: rss,
        heapUsedBytes: heapUsed,
        loopDelayP99Ms: delay.percentile(99) / 1e6,
        handles: process.getActiveResourcesInfo().length,
      },
    });
    delay.reset();
  }

  return () => {
    clearInterval(timer);
    delay.disable();
    sample();
  };
}
