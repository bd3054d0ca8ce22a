import { expect, test } from "vitest";
import type { AcquireOutcome, Lock, ReleaseOutcome } from "../../../../../harness/contracts/lock-adapter.ts";
import type { Delivery } from "../../../../../harness/contracts/queue.ts";
import type { Journal, JournalEntry } from "../../../../../harness/lock/journal.ts";
import type { WorkerAssignment } from "../../../../../harness/lock/messages.ts";
import { type ExecutionTools, execute } from "../../../../../harness/lock/worker/execution.ts";
import { createTriggers } from "../../../../../harness/lock/worker/triggers.ts";

interface Situation {
  grant?: AcquireOutcome;
  release?: ReleaseOutcome;
  latest?: boolean | Error;
  /** Outcomes of the tries to acknowledge, in order; the last one repeats. */
  acks?: (true | Error)[];
  assignment?: Partial<WorkerAssignment>;
  jobFails?: Error;
  loseDuringJob?: boolean;
}

/**
 * Executes one delivery, or several that came together, and gives the steps as `op phase outcome`, with `| written` after
 * each flush; and how long acquires took, in readings of the clock.
 */
async function steps(situation: Situation, { deliveries = 1, took = [] as unknown[] } = {}): Promise<string[]> {
  const log: string[] = [];
  let atNs = 0;
  const journal: Journal = {
    now: () => ++atNs * 1e6,
    record({ op, phase, outcome, detail }: JournalEntry) {
      log.push([op, phase, outcome].filter(Boolean).join(" "));
      if (op === "acquire" && phase !== "invoke") took.push(detail?.tookNs);
    },
    recordSpelled() {},
    flush: () => log.push("| written"),
    close() {},
  };
  const lock: Lock = {
    capabilities: { renewal: "none", fencing: "none", nodes: 1, client: "none" },
    async acquire() {
      log.push("> acquire");
      return situation.grant ?? { outcome: "granted", token: "t1" };
    },
    async release(_key, _token, { done = false } = {}) {
      log.push(done ? "> release done" : "> release");
      return situation.release ?? { outcome: "released" };
    },
    redisKeys: () => [],
    async close() {},
  };
  const acks = [...(situation.acks ?? [true])];
  const delivery: Delivery = {
    ...{ id: "1-0", job: "j1", key: "k1", attempt: 1, durationUs: 0 },
    async look() {
      if (situation.latest instanceof Error) throw situation.latest;
      return situation.latest ?? true;
    },
    async ack() {
      const next = acks.length > 1 ? acks.shift() : acks[0];
      if (next instanceof Error) throw next;
    },
  };
  const holds = new Map<string, AbortController>();
  const tools: ExecutionTools = {
    ...{ lock, journal, holds, triggers: createTriggers(() => {}) },
    breach: ({ message }) => log.push(`! ${message}`),
    assignment: {
      ...{ worker: 1, incarnation: 1, ttlMs: 1_000, visibilityMs: 60_000, look: true, ack: "inside", onSkip: "leave" },
      lock: { name: "my-lock", path: "/my-lock.ts", options: {} },
      ...situation.assignment,
    } as WorkerAssignment,
    clock: { now: () => 0, change() {}, uninstall() {} },
    witness: {
      forExecution: () => ({
        async record() {
          log.push("> effect");
          return { first: true, accepted: true };
        },
        read: async () => ({ value: 0, version: 0 }),
        write: async () => ({ first: true, accepted: true }),
        writeFenced: async () => ({ first: true, accepted: false }),
      }),
      close() {},
    },
    job: {
      async perform({ witness, signal }) {
        if (situation.loseDuringJob) holds.get("t1")?.abort(new Error("renewal failed"));
        if (situation.jobFails) throw situation.jobFails;
        signal.throwIfAborted();
        await witness.record("e");
      },
    },
  };
  await Promise.all(Array.from({ length: deliveries }, () => execute(delivery, tools)));
  expect(holds.size).toBe(0);
  return log;
}

const asked = ["deliver ok", "acquire invoke", "| written", "> acquire"];
const granted = [...asked, "acquire ok granted"];
const looked = ["look invoke", "look ok current"];
const effect = ["effect invoke", "| written", "> effect", "effect ok first"];
const released = ["release invoke", "| written", "> release", "release ok released"];
const releasedDone = ["release invoke", "| written", "> release done", "release ok released"];

test("acquire, look, effect, confirmed acknowledgement, release; acquire, effect and release are written before they leave", async () => {
  expect(await steps({})).toEqual([...granted, ...looked, ...effect, "ack invoke", "ack ok", ...releasedDone]);
});

test("jobs that come together are all asked for in writing before the first command leaves", async () => {
  const log = await steps({}, { deliveries: 2 });
  expect(log.slice(0, 6)).toEqual([
    ...["deliver ok", "acquire invoke", "deliver ok", "acquire invoke"],
    ...["| written", "> acquire"],
  ]);
});

test("whatever comes of an acquire, it says how long the call took", async () => {
  const took: unknown[] = [];
  const error = new Error("x");
  for (const outcome of ["granted", "refused", "failed", "indeterminate"] as const)
    await steps({ grant: { outcome, token: "t1", error } as AcquireOutcome }, { took });
  expect(took).toEqual([1e6, 1e6, 1e6, 1e6]);
});

test("with --ack after the lock is released first", async () => {
  expect(await steps({ assignment: { ack: "after", look: false } })).toEqual([
    ...[...granted, ...effect, ...releasedDone],
    ...["ack invoke", "ack ok"],
  ]);
});

test("a refused job stays pending, or is dropped by policy", async () => {
  const grant = { outcome: "refused" } as const;
  const refused = [...asked, "acquire fail refused", "skip info refused"];
  expect(await steps({ grant })).toEqual(refused);
  expect(await steps({ grant, assignment: { onSkip: "drop" } })).toEqual([...refused, "skip info dropped"]);
});

test("a job that the lock knows to be done is acknowledged, whatever the policy, and dropped by policy alone", async () => {
  const grant = { outcome: "refused", reason: "done" } as const;
  const done = [...asked, "acquire fail refused", "skip info done"];
  expect(await steps({ grant })).toEqual(done);
  expect(await steps({ grant, acks: [new Error("reset")] })).toEqual([...done, "ack fail"]);
  expect(await steps({ grant, assignment: { onSkip: "drop" } })).toEqual([...done, "skip info dropped"]);
});

test("an error on acquire is a failure, a timeout is unknown; neither runs the job", async () => {
  const error = new Error("x");
  expect(await steps({ grant: { outcome: "failed", error } })).toEqual([
    ...[...asked, "acquire fail failed", "skip info failed"],
  ]);
  expect(await steps({ grant: { outcome: "indeterminate", error } })).toContain("acquire info indeterminate");
});

test("a stale delivery, or one that cannot be looked up, is released unexecuted", async () => {
  expect(await steps({ latest: false })).toEqual([
    ...[...granted, "look invoke", "look ok stale", "skip info stale"],
    ...released,
  ]);
  expect(await steps({ latest: new Error("no answer") })).toEqual([
    ...[...granted, "look invoke", "look fail", "skip info failed"],
    ...released,
  ]);
});

test("an acknowledgement is tried again until it is confirmed", async () => {
  const log = await steps({ acks: [new Error("reset"), true] });
  expect(log.slice(-7)).toEqual(["ack invoke", "ack info", "ack ok", ...releasedDone]);
});

test("an acknowledgement that the queue refuses for good is not tried again, and the lock is released", async () => {
  const gone = Object.assign(new Error("another worker has it"), { code: "DELIVERY_GONE" });
  const inside = await steps({ acks: [gone, true] });
  expect(inside.slice(-6)).toEqual(["ack invoke", "ack fail gone", ...releasedDone]);
  const after = await steps({ acks: [gone, true], assignment: { ack: "after" } });
  expect(after.slice(-2)).toEqual(["ack invoke", "ack fail gone"]);
});

test("unconfirmed at the end of the lease it is unknown, and the lock is not released", async () => {
  const log = await steps({ acks: [new Error("reset")], assignment: { ttlMs: 12, visibilityMs: 12 } });
  expect(log.at(-1)).toBe("ack info unknown");
  expect(log).not.toContain("> release");
});

test("a job that outlived its lease is acknowledged all the same", async () => {
  const log = await steps({ assignment: { ttlMs: 0 } });
  expect(log).toEqual([...granted, ...looked, ...effect, "ack invoke", "ack ok", ...releasedDone]);
});

test("a job that fails, or whose lock is lost, makes no acknowledgement", async () => {
  expect(await steps({ jobFails: new Error("template missing") })).toEqual([
    ...[...granted, ...looked, "skip info failed"],
    ...released,
  ]);
  expect(await steps({ loseDuringJob: true })).toEqual([...granted, ...looked, "skip info lost", ...released]);
});

test.each([
  [{ outcome: "not-owner" }, "release fail not-owner"],
  [{ outcome: "failed", error: new Error("x") }, "release fail failed"],
  [{ outcome: "unknown", error: new Error("x") }, "release info unknown"],
] as const)("release says %o", async (release, expected) => {
  expect((await steps({ release })).at(-1)).toBe(expected);
});

test.each([true, undefined, null, { outcome: "ok" }, { outcome: "granted" }])(
  "an acquire that returns %j breaks the contract, which is told with the file and what it has to return",
  async (grant) => {
    const log = await steps({ grant: (async () => grant)() as never });
    expect(log.find((line) => line.startsWith("!"))).toMatch(
      /^! acquire of \/my-lock\.ts returned .*; (it has to return|what is granted has)/,
    );
    expect(log).not.toContain("> effect");
  },
);
