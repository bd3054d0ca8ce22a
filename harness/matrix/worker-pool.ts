import type { StartWorkerProcess } from "../lock/orchestrator/roster.ts";
import { startWorkerProcess, type WorkerBody } from "../lock/orchestrator/worker-process.ts";

/**
 * Worker processes that are used by one cell after the other: starting one takes more than most cells do. Only one that
 * ended its work in order and left nothing behind comes back, and only for the same lock, so that no library meets the
 * traces of another.
 */
export interface WorkerPool {
  start: StartWorkerProcess;
  /** Ends those that wait for work. */
  close(): void;
}

/** Beyond it the ones that have waited longest are ended. */
const MOST_IDLE = 64;

export function createWorkerPool(startProcess: StartWorkerProcess = startWorkerProcess): WorkerPool {
  let idle: { lock: string; body: WorkerBody }[] = [];
  const leave = (body: WorkerBody) => {
    idle = idle.filter((entry) => entry.body !== body);
  };

  return {
    start(options) {
      const lock = options.assignment.lock.path;
      const waiting = idle.findLast((entry) => entry.lock === lock);
      if (waiting) leave(waiting.body);
      return startProcess({
        ...options,
        ...(waiting ? { body: waiting.body } : {}),
        retire(body) {
          idle.push({ lock, body });
          void body.exited.then(() => leave(body));
          for (const { body: oldest } of idle.slice(0, Math.max(0, idle.length - MOST_IDLE))) {
            leave(oldest);
            oldest.signal("SIGKILL");
          }
        },
      });
    },
    close() {
      for (const { body } of idle) body.signal("SIGKILL");
      idle = [];
    },
  };
}
