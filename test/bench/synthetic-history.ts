import type { HistoryEvent } from "../../harness/contracts/history.ts";
import type { LockPlan } from "../../harness/contracts/lock-plan.ts";

/** Events of one job that runs without trouble, as a worker and the orchestrator write them. */
const EVENTS_PER_JOB = 14;
const WORKERS = 4;
const ARMS = ["none", "set-nx"] as const;

/** A plan that fits the synthetic history. */
export function syntheticPlan({ rounds = 5 }: { rounds?: number } = {}): LockPlan {
  const arm = (name: string, role: "control" | "lock") => ({
    ...{ name, role, look: true },
    lock: { name, path: `/${name}.js`, options: {} },
  });
  return {
    ...{ schema: "harness.plan/1", kind: "lock", seed: 1, topology: "single", workers: WORKERS, concurrency: 50 },
    ...{ ttlMs: 15_000, visibilityMs: 2000, claimIntervalMs: 500, ack: "inside", onSkip: "leave", fencing: "on" },
    queue: { name: "streams", path: "/streams.js" },
    queueOn: "lock",
    job: { name: "webhook", path: "/webhook.js", time: { kind: "constant", ms: 300 } },
    load: { kind: "open", perMinute: 60_000, arrivals: "constant", keys: "per-job" },
    roundMs: 60_000,
    arms: [arm("none", "control"), arm("set-nx", "lock")],
    rounds: Array.from({ length: rounds }, (_, index) => ({
      ...{ round: index + 1, order: [0, 1], arrivals: [] },
      faults: [
        {
          ...{ id: "f1", name: "worker-stop", targets: ["worker:1"], parameters: {}, forMs: 1000 },
          trigger: { kind: "at", atMs: 10_000 },
        },
      ],
    })),
    proxied: true,
  };
}

/**
 * About `events` events of a run in which one job in fifty is executed twice in the control, in the order of time, in
 * batches.
 */
export function* syntheticHistory(events: number, plan: LockPlan): Generator<HistoryEvent[]> {
  const segments = plan.rounds.length * ARMS.length;
  const jobs = Math.round(events / EVENTS_PER_JOB / segments);
  let startNs = 0;
  for (const { round } of plan.rounds) {
    for (const arm of ARMS) {
      const batch = armRoundEvents(arm, round, jobs, startNs).sort((a, b) => a.atNs - b.atNs);
      startNs = batch.at(-1)!.atNs + 1e9;
      yield batch;
    }
  }
}

function armRoundEvents(arm: string, round: number, jobs: number, startNs: number): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const gapNs = 60e9 / jobs;
  const put = (atNs: number, rest: Omit<HistoryEvent, "atNs" | "round" | "arm">) =>
    events.push({ atNs: Math.round(startNs + atNs), round, arm, ...rest });
  const milestone = (atNs: number, outcome: string) => put(atNs, { op: "round", phase: "info", worker: 0, outcome });
  milestone(0, "load-start");
  const stop = { id: "f1", name: "worker-stop", target: "worker:1", params: {}, plannedAtMs: 10_000 };
  put(10e9, { op: "fault", phase: "info", worker: 0, detail: { ...stop, action: "inject" } });
  put(11e9, { op: "fault", phase: "info", worker: 0, detail: { ...stop, action: "heal" } });
  for (let n = 0; n < jobs; n += 1) {
    const [job, key] = [`j${round}-${n}`, `order:${round}:${n}`];
    const atNs = 1e6 + n * gapNs;
    put(atNs, { op: "arrive", phase: "invoke", worker: 0, job, key, detail: { plannedAtNs: startNs + atNs } });
    put(atNs + 2e5, { op: "arrive", phase: "ok", worker: 0, job, key });
    const deliveries = arm === "none" && n % 50 === 0 ? 2 : 1;
    for (let attempt = 1; attempt <= deliveries; attempt += 1) {
      const worker = 1 + ((n + attempt) % WORKERS);
      const execution = `${job}/${attempt}@${worker}.1`;
      const who = { worker, incarnation: 1, job, key, execution, attempt };
      const token = `${round.toString(16).padStart(4, "0")}${n.toString(16).padStart(28, "0")}`;
      const from = atNs + 4e5 + (attempt - 1) * 1e8;
      put(from, { op: "deliver", phase: "ok", ...who });
      put(from + 1e5, { op: "acquire", phase: "invoke", ...who });
      const wallMs = 1_767_225_600_000 + (startNs + from) / 1e6;
      put(from + 7e5 + (n % 97) * 1e4, { op: "acquire", phase: "ok", outcome: "granted", token, wallMs, ...who });
      put(from + 2e6, { op: "look", phase: "invoke", ...who });
      put(from + 3e6, { op: "look", phase: "ok", outcome: "current", ...who });
      put(from + 3e8, { op: "effect", phase: "invoke", token, detail: { effect: "webhook" }, ...who });
      put(from + 3.01e8, { op: "effect", phase: "ok", outcome: "first", ...who });
      put(from + 3.02e8, { op: "ack", phase: "invoke", ...who });
      put(from + 3.03e8, { op: "ack", phase: "ok", ...who });
      put(from + 3.04e8, { op: "release", phase: "invoke", token, ...who });
      put(from + 3.05e8, { op: "release", phase: "ok", outcome: "released", token, ...who });
      put(62e9 + n * 10, { op: "witness", phase: "info", worker: 0, job, key, execution, outcome: "accepted" });
    }
  }
  milestone(60e9, "load-end");
  milestone(63e9, "drained");
  return events;
}
