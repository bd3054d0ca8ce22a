import { Worker } from "node:worker_threads";
import { HarnessError } from "../../errors.ts";
import { builtFile } from "../../package-root.ts";
import { BrokenHand, type Hand, type RanLast } from "../campaign/hand.ts";
import { HEADER, STRIDE } from "../plan/event.ts";
import { HEARTBEAT } from "./heartbeat.ts";
import type { Order, Orders, OrderType, Reply, ThreadData } from "./messages.ts";
import { Stall } from "./stall.ts";

export interface ThreadOptions {
  /** A step that takes longer hangs: the thread is ended. Undefined: a step may take as long as it likes. */
  stepDeadlineMs: number | undefined;
  /** Limit of a thread's heap, in MB. */
  heapLimitMb?: number;
}

/** Loading a module may take longer than a step of it. */
const LOAD_DEADLINE_MS = 60_000;
const DEFAULT_HEAP_LIMIT_MB = 1_024;
/** A thread that was to stop and still runs its order is ended. */
const STOP_GRACE_MS = 1_500;

/** Starts a worker thread and guards it: it is ended when a step hangs, and its end is told with what ran last. */
export async function startThread({
  stepDeadlineMs,
  heapLimitMb = DEFAULT_HEAP_LIMIT_MB,
}: ThreadOptions): Promise<Hand> {
  const heartbeat = apart(HEARTBEAT.length);
  const workerData: ThreadData = { heartbeat };
  const worker = new Worker(builtFile("harness/converge/thread/entry.js"), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });
  // What goes wrong between two orders is told by the next.
  let ended: BrokenHand | undefined;
  let onEnd: ((broken: BrokenHand) => void) | undefined;
  const end = (reason: string, wasStopped = false) => {
    ended ??= new BrokenHand(reason, ranLast(heartbeat), wasStopped);
    onEnd?.(ended);
  };
  const kill = (reason: string, wasStopped = false) => {
    end(reason, wasStopped);
    endChild(heartbeat);
    void worker.terminate();
  };
  let orders = 0;
  /** Number of the order that runs; 0: none. */
  let running = 0;
  worker.on("error", (error: NodeJS.ErrnoException) => end(endReason(error, heapLimitMb)));
  worker.on("exit", (code) => end(`ended its thread with code ${code}`));

  const hand: Hand = {
    async ask(type, asked) {
      if (ended !== undefined) throw ended;
      heartbeat[HEARTBEAT.stop] = 0;
      const number = ++orders;
      running = number;
      try {
        return await order(worker, heartbeat, type, asked, {
          deadlineMs:
            type === "open" && stepDeadlineMs !== undefined
              ? Math.max(stepDeadlineMs, LOAD_DEADLINE_MS)
              : stepDeadlineMs,
          onHang: kill,
          listen: (listener) => {
            onEnd = listener;
          },
        });
      } finally {
        if (running === number) running = 0;
      }
    },
    stop() {
      heartbeat[HEARTBEAT.stop] = 1;
      const asked = running;
      if (asked === 0) return;
      setTimeout(() => {
        if (running === asked) kill("was stopped and did not return", true);
      }, STOP_GRACE_MS).unref();
    },
    async close() {
      endChild(heartbeat);
      await worker.terminate();
    },
  };
  return hand;
}

/** Words between what one thread writes and what others do. Lines of caches are 64 or 128 bytes. */
const MARGIN = 32;

/**
 * Shared words on lines of their own: a thread writes some of them at every event, and would wait for the other cores each
 * time if they wrote to the same line.
 */
function apart(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (MARGIN + length + MARGIN)), 4 * MARGIN, length);
}

interface Guard {
  deadlineMs: number | undefined;
  onHang(reason: string): void;
  /** Registers who is told of the thread's end; undefined: nobody. */
  listen(listener: ((broken: BrokenHand) => void) | undefined): void;
}

function order<Type extends OrderType>(
  worker: Worker,
  heartbeat: Int32Array,
  type: Type,
  asked: Orders[Type]["asked"],
  { deadlineMs, onHang, listen }: Guard,
): Promise<Orders[Type]["answer"]> {
  return new Promise((resolve, reject) => {
    const unwatch = deadlineMs === undefined ? () => {} : watch(heartbeat, deadlineMs, onHang);
    function done() {
      unwatch();
      worker.off("message", onReply);
      listen(undefined);
    }
    function onReply(reply: Reply) {
      done();
      if (reply.type === "done") resolve(reply.answer as Orders[Type]["answer"]);
      else reject(asError(reply.error));
    }
    listen((broken) => {
      done();
      reject(broken);
    });
    worker.on("message", onReply);
    worker.postMessage({ type, asked } satisfies Order);
  });
}

/** Looks for progress until it is told not to. */
function watch(heartbeat: Int32Array, deadlineMs: number, onHang: Guard["onHang"]): () => void {
  const periodMs = Math.max(10, deadlineMs / 8);
  const stall = new Stall(periodMs);
  const look = () => {
    const progress = `${heartbeat[HEARTBEAT.schedules]}/${heartbeat[HEARTBEAT.event]}`;
    if (stall.look(progress, performance.now()) >= deadlineMs) onHang(`did not return within ${deadlineMs} ms`);
  };
  look();
  const timer = setInterval(look, periodMs);
  return () => clearInterval(timer);
}

function asError({ message, code, exitCode }: Extract<Reply, { type: "error" }>["error"]): Error {
  return code !== undefined && exitCode !== undefined
    ? new HarnessError(message, { code, exitCode })
    : new Error(message);
}

function endReason(error: NodeJS.ErrnoException, heapLimitMb: number): string {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return `ran out of memory (${heapLimitMb} MB of heap)`;
  return `ended its thread: ${error.message}`;
}

function ranLast(heartbeat: Int32Array): RanLast {
  const { indexHigh, indexLow, event, events, schedule } = HEARTBEAT;
  const end = schedule + HEADER + heartbeat[events]! * STRIDE;
  return {
    index: heartbeat[indexHigh]! * 2 ** 32 + (heartbeat[indexLow]! >>> 0),
    event: heartbeat[event]!,
    schedule: Array.from(heartbeat.subarray(schedule, end)),
  };
}

/** A thread that waits for a process in a system call ends only with that process. */
function endChild(heartbeat: Int32Array): void {
  const pid = heartbeat[HEARTBEAT.childPid]!;
  if (pid <= 0) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
