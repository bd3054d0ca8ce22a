import { describe, expect, test } from "vitest";
import type { WorkerAssignment } from "../../../../harness/lock/messages.ts";
import type {
  WorkerBody,
  WorkerProcess,
  WorkerProcessOptions,
} from "../../../../harness/lock/orchestrator/worker-process.ts";
import { createWorkerPool } from "../../../../harness/matrix/worker-pool.ts";

/** A pool whose processes are only names; `retire` is what a worker does at the end of its work. */
function pool() {
  const started: WorkerProcessOptions[] = [];
  const killed: number[] = [];
  const deaths = new Map<number, () => void>();
  let lastPid = 0;
  const { start, close } = createWorkerPool((options) => {
    started.push(options);
    return {} as WorkerProcess;
  });
  return {
    ...{ started, killed, deaths, close },
    start(lock: string) {
      start({ assignment: { lock: { path: lock } } as WorkerAssignment } as WorkerProcessOptions);
      return started.at(-1)!;
    },
    body(): WorkerBody {
      lastPid += 1;
      const pid = lastPid;
      const exited = new Promise<never>((resolve) => deaths.set(pid, resolve as () => void));
      return { pid, exited, signal: () => killed.push(pid) } as unknown as WorkerBody;
    },
  };
}

describe("worker processes that are used again", () => {
  test("a new one, as long as none has retired; then that one, for the same lock alone", () => {
    const { start, body } = pool();
    const own = body();
    start("/a.js").retire?.(own);
    expect(start("/b.js").body).toBeUndefined();
    expect(start("/a.js").body).toBe(own);
    expect(start("/a.js").body).toBeUndefined();
  });

  test("one that died meanwhile is not used", async () => {
    const { start, body, deaths } = pool();
    const own = body();
    start("/a.js").retire?.(own);
    deaths.get(own.pid!)?.();
    await own.exited;
    expect(start("/a.js").body).toBeUndefined();
  });

  test("those that wait are ended with the pool, and the oldest of too many before", () => {
    const { start, body, close, killed } = pool();
    const working = Array.from({ length: 66 }, () => start("/a.js"));
    for (const { retire } of working) retire?.(body());
    expect(killed).toEqual([1, 2]);
    close();
    expect(killed).toHaveLength(66);
  });
});
