import { setTimeout as sleep } from "node:timers/promises";
import type { Lock } from "../../contracts/lock-adapter.ts";
import { messageOf } from "../../errors.ts";
import type { Journal } from "../journal.ts";
import type { ArmedTrigger, WorkerAssignment } from "../messages.ts";
import { verifyLock } from "../verify-lock.ts";
import { connectWitness } from "../witness/client.ts";
import { type ContractBreach, promised } from "./contract-answers.ts";
import { execute } from "./execution.ts";
import { watchLeftovers } from "./leftovers.ts";
import type { Workloads } from "./load-workloads.ts";
import { markConnections } from "./mark-connections.ts";
import { startSampling } from "./samples.ts";
import { createTriggers, tellOrchestrator } from "./triggers.ts";
import type { WallClock } from "./wall-clock.ts";

/** A connected worker: its lock, its queue, its witness, its journal. */
export interface Station {
  lock: Lock;
  journal: Journal;
  assignment: WorkerAssignment;
  /** The lock broke its contract: the run ends with this reason. */
  breach(breach: ContractBreach): void;
  takeJobs(triggers: readonly ArmedTrigger[]): Promise<void>;
  /** Has something ended, and waited for, before the connections close. */
  beforeClose(end: () => Promise<void>): void;
  /** Takes no more jobs, ends those that run, closes every connection. */
  close(): Promise<void>;
}

/**
 * How long timers and connections may take to go after everything was closed, ms: longer than the 2 s after which ioredis
 * gives up a connection that does not end.
 */
const LEFTOVERS_LIMIT_MS = 2_500;
/** How long the lock may take to close, ms: everything was healed before. */
const CLOSE_LIMIT_MS = 5_000;

export async function openStation(
  assignment: WorkerAssignment,
  { createLock, createConsumer, job }: Workloads,
  clock: WallClock,
  journal: Journal,
  breach: (breach: ContractBreach) => void,
): Promise<Station> {
  if (assignment.mark) markConnections(assignment.mark);
  const leftovers = watchLeftovers();
  const { keyPrefix, commandTimeoutMs } = assignment;
  const { path } = assignment.lock;
  const lock = verifyLock(
    await promised(async () =>
      createLock({
        nodes: assignment.lockNodes,
        options: assignment.lock.options,
        ...{ keyPrefix, clock },
        ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
        // A benchmark only: a batch carries the commands of many holds at once.
        ...(assignment.saturation && assignment.saturation.holdMs === undefined ? { batchCommands: true } : {}),
      }),
    ).catch((error: unknown) => {
      throw new Error(`createLock of ${path} threw: ${messageOf(error)}`, { cause: error });
    }),
    path,
  );
  const holds = new Map<string, AbortController>();
  lock.onLost?.(({ key, token, reason }) => {
    journal.record({ op: "lost", phase: "info", key, token, error: reason });
    journal.flush();
    holds.get(token)?.abort(new Error(`the lock was lost: ${reason}`));
  });

  // What led to the moment is written down before a fault may stop or kill the worker at it.
  const triggers = createTriggers((line) => {
    journal.flush();
    tellOrchestrator(line);
  });
  const stopSampling = startSampling(journal);
  const running = new Set<Promise<void>>();
  const endings: (() => Promise<void>)[] = [];
  const witness = connectWitness(assignment.witnessNode, assignment);
  const tools = { assignment, lock, job, witness, journal, clock, triggers, holds, breach };
  const consumer = assignment.saturation
    ? undefined
    : createConsumer({
        node: assignment.queueNode,
        keyPrefix,
        consumer: `${assignment.worker}.${assignment.incarnation}`,
        visibilityMs: assignment.visibilityMs,
        claimIntervalMs: assignment.claimIntervalMs,
        concurrency: assignment.concurrency,
        options: assignment.queue.options ?? {},
        onEvent({ event, message, ...job }) {
          journal.record({
            op: "queue",
            phase: "info",
            outcome: event,
            ...job,
            ...(message ? { error: message } : {}),
          });
        },
      });

  return {
    ...{ lock, journal, assignment, breach },
    async takeJobs(armed) {
      triggers.arm(armed);
      await consumer?.start(async (delivery) => {
        const execution = execute(delivery, tools);
        running.add(execution);
        await execution.finally(() => running.delete(execution));
      });
    },
    beforeClose(end) {
      endings.push(end);
    },
    async close() {
      await consumer?.pause();
      await Promise.all(endings.map((end) => end()));
      await Promise.allSettled(running);
      stopSampling();
      await consumer?.close();
      const closed = promised(() => lock.close()).then(
        () => true,
        (error: unknown) => {
          journal.record({ op: "sample", phase: "info", detail: { closeError: messageOf(error) } });
          return true;
        },
      );
      const inTime = await Promise.race([closed, sleep(CLOSE_LIMIT_MS, false, { ref: false })]);
      if (!inTime) {
        journal.record({ op: "sample", phase: "info", detail: { closingForMs: CLOSE_LIMIT_MS } });
      }
      witness.close();
      const leftOpen = await leftovers(LEFTOVERS_LIMIT_MS);
      if (leftOpen.length > 0) journal.record({ op: "sample", phase: "info", detail: { leftOpen } });
      journal.close();
    },
  };
}
