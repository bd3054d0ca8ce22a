import { describe, expect, test } from "vitest";
import { runChecks } from "../../../../harness/checks/registry.ts";
import type { ArmRound } from "../../../../harness/contracts/check.ts";
import type { PlannedFault } from "../../../../harness/contracts/fault.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import type { LockPlan } from "../../../../harness/contracts/lock-plan.ts";
import { assembleLockResult, type LockRunMeta } from "../../../../harness/results/assemble-lock.ts";
import { type LockResult, lockResultSchema } from "../../../../harness/results/lock-schema.ts";
import { armOf, arrival, execution, fault, milestone, planOf, witnessed } from "../checks/hand-written.ts";
import { meta } from "./meta.ts";

const stop: PlannedFault = {
  id: "f1",
  name: "worker-stop",
  targets: ["worker:1"],
  parameters: {},
  trigger: { kind: "at", atMs: 2000 },
  forMs: 1000,
};

const planned = (faults: PlannedFault[] = [stop], over: Partial<LockPlan> = {}) =>
  planOf({ rounds: [1, 2].map((round) => ({ round, order: [0, 1], arrivals: [], faults })), ...over });

/** A round of ten jobs, 1 s apart; those listed are executed twice, at the same time. */
function roundOf(arm: string, round: number, { twice = [] as number[], faults = true } = {}): ArmRound {
  const events: HistoryEvent[] = [
    milestone(0, "load-start"),
    milestone(10_000, "load-end"),
    milestone(11_000, "drained"),
  ];
  for (let n = 0; n < 10; n += 1) {
    const [job, at] = [`j${n}`, n * 1000 + 100];
    const key = `k-${job}`;
    events.push(
      ...arrival(job, at, at + 2),
      ...execution({
        worker: 1,
        job,
        key,
        deliver: at + 5,
        acquire: [at + 6, at + 7],
        effect: [at + 500, at + 501],
        ack: [at + 502, at + 505],
        release: [at + 506, at + 507],
      }),
      witnessed(10_500 + n, `${job}/1@1.1`),
    );
    if (!twice.includes(n)) continue;
    events.push(
      ...execution({
        worker: 2,
        job,
        key,
        attempt: 2,
        deliver: at + 200,
        acquire: [at + 201, at + 202],
        effect: [at + 600, at + 601],
        ack: [at + 602, at + 603],
        release: [at + 604, at + 605],
      }),
      witnessed(10_520 + n, `${job}/2@2.1`),
    );
  }
  if (faults) {
    const target = { name: "worker-stop", target: "worker:1" };
    events.push(fault(2000, "inject", target), fault(3000, "heal", target));
  }
  return { arm, round, events: events.map((event) => ({ ...event, arm, round })).sort((a, b) => a.atNs - b.atNs) };
}

function resultOf(plan: LockPlan, armRounds: ArmRound[], over: Partial<LockRunMeta> = {}): LockResult {
  const outcome = runChecks({ plan, armRounds });
  return assembleLockResult({
    plan,
    armRounds,
    findings: outcome.findings,
    meta: { ...meta, checks: outcome, ...over },
  });
}

const powerful = [2, 3, 4];
const run = (controlTwice: number[], lockTwice: number[] = [], plan = planned(), faults = true) =>
  resultOf(
    plan,
    [1, 2].flatMap((round) => [
      roundOf("none", round, { twice: controlTwice, faults }),
      roundOf("set-nx", round, { twice: lockTwice, faults }),
    ]),
  );

describe("figures", () => {
  const result = run(powerful);
  const [control, lock] = result.arms;

  test("follow the schema, through JSON and back", () => {
    expect(lockResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  test("jobs", () => {
    expect(control?.jobs).toMatchObject({ offered: 20, executed: 20, duplicated: 6, concurrentDuplicates: 6, lost: 0 });
    expect(control?.jobs).toMatchObject({ sequentialDuplicates: 0, maxExecutionsOfOneJob: 2, duplicateRate: 0.3 });
    expect(lock?.jobs).toMatchObject({ duplicated: 0, lost: 0 });
    expect(lock?.jobs.duplicateRate95[1]).toBeCloseTo(1 - 0.05 ** (1 / 20), 12);
    expect(control?.rounds.map(({ round, jobs }) => [round, jobs.duplicated])).toEqual([
      [1, 3],
      [2, 3],
    ]);
  });

  test("times: acquire, response from the planned arrival, service from the delivery", () => {
    expect(lock?.acquire).toMatchObject({ count: 20 });
    expect(lock?.acquire.p50Ms).toBeCloseTo(1, 2);
    expect(lock?.response.p50Ms).toBeCloseTo(505, 0);
    expect(lock?.service.p50Ms).toBeCloseTo(500, 0);
    expect(lock?.throughputPerMin).toBeCloseTo(60, 10);
    expect(lock?.starts).toMatchObject({ late: 20, dropped: 0, lateP50Ms: 2 });
    expect(lock?.cyclesPerSecond).toBeNull();
  });

  test("a job that a worker has is in the queue, even if its confirmation comes later, or never", () => {
    const soonDelivered = ["set-nx", "none"].map((arm) => {
      const armRound = roundOf(arm, 1, { faults: false });
      const events = armRound.events
        .filter(({ op, phase, job }) => !(op === "arrive" && phase === "ok" && job === "j3"))
        .map((event) => (event.op === "arrive" && event.phase === "ok" ? { ...event, atNs: event.atNs + 8e6 } : event));
      return { ...armRound, events };
    });
    const plan = planOf({ rounds: [{ round: 1, order: [0, 1], arrivals: [], faults: [] }] });
    for (const arm of resultOf(plan, soonDelivered).arms) {
      expect(arm.starts).toMatchObject({ dropped: 0, lateP50Ms: 5, lateP99Ms: 5 });
    }
  });

  test("acquisitions of a stopped worker are left out of the second figure, those of others are not", () => {
    // Worker 1 is stopped from 2 s to 3 s: its acquisition at 2.1 s is out. Worker 2 acquires at 2.3 s in the control.
    expect(lock?.acquireOutsideFaults.count).toBe(18);
    expect(control?.acquire.count).toBe(26);
    expect(control?.acquireOutsideFaults.count).toBe(24);
  });

  test("the series: a step for each 100 ms of the round and the drain, and every job in it", () => {
    expect(lock?.seriesStepMs).toBe(100);
    const first = lock?.series.filter(({ round }) => round === 1) ?? [];
    expect(first.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 100 }, (_, step) => step * 100));
    const total = (pick: (point: (typeof first)[number]) => number) =>
      first.reduce((sum, point) => sum + pick(point), 0);
    expect([total(({ offered }) => offered), total(({ achieved }) => achieved)]).toEqual([10, 10]);
    expect(control?.series.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(6);
    expect(first[1]).toMatchObject({ offered: 1, achieved: 0, acquireP50Ms: 1 });
    expect(first[2]).toMatchObject({ offered: 0, acquireP50Ms: null });
  });

  test("faults as they happened", () => {
    expect(result.faults).toHaveLength(4);
    expect(result.faults[0]).toMatchObject({ id: "f1", arm: "none", round: 1, injectedAtMs: 2000, healedAtMs: 3000 });
    expect(result.faults.every(({ error }) => error === undefined)).toBe(true);
  });

  test("what the lock removed; the look cannot be told without a literal control", () => {
    expect(result.removed).toEqual({ byLook: null, byLock: [{ arm: "set-nx", jobs: 6 }] });
  });

  test("bounds: jobs, jobs in flight during the stop, windows", () => {
    expect(result.bounds).toMatchObject([
      {
        arm: "set-nx",
        jobs: { n: 20, duplicated: 0 },
        jobsInFlightDuringFaults: { n: 2, duplicated: 0 },
        faultWindows: { n: 2, withDuplicates: 0 },
      },
    ]);
    expect(result.bounds[0]?.faultWindows.upper95).toBeCloseTo(1 - 0.05 ** 0.5, 12);
  });

  test("advice from the measured holds", () => {
    expect(result.advice.jobTimeP999Ms).toBeCloseTo(499, 6);
    expect(result.advice.suggestedTtlMs).toBe(749);
    expect(result.advice.lockWorthIt.product).toBeCloseTo(0.499, 6);
    expect(result.advice.lockWorthIt).toMatchObject({ productPerKey: 0, worthIt: true });
  });
});

describe("status", () => {
  test("passed: nothing found where the control failed often enough, with the bound of the windows", () => {
    const result = run(powerful);
    expect(result.power).toEqual({ concurrentDuplicatesInControl: 6, faultWindows: 2, enough: true });
    expect(result.status).toBe("passed");
    expect(result.statusReason).toContain("the control had 6 concurrent duplicates");
    expect(result.statusReason).toContain("None in 2 fault windows");
  });

  test("failed: a finding counts whatever the control did", () => {
    for (const control of [powerful, []]) {
      const result = run(control, [2]);
      expect(result.status).toBe("failed");
      expect(result.statusReason).toContain("set-nx: exclusion (broken promise), 2 x");
    }
  });

  test("unknown: the control showed nothing, so more time alone may not do", () => {
    const result = run([]);
    expect(result).toMatchObject({ status: "unknown", power: { enough: false } });
    expect(result.statusReason).toContain("no concurrent duplicate in 20 s");
    expect(result.statusReason).toContain("--faults article");
  });

  test("unknown: too few, with the duration that would do", () => {
    const result = run([2]);
    expect(result.power).toMatchObject({ concurrentDuplicatesInControl: 2, faultWindows: 2, enough: false });
    expect(result.statusReason).toContain("`--duration 75s` would do");
  });

  test("unknown: enough duplicates, but outside the fault windows", () => {
    expect(run([5, 6, 7])).toMatchObject({ status: "unknown", power: { faultWindows: 0, enough: false } });
  });

  test("the windows of the control are counted as those of the locks are: jitter is none beside a stop", () => {
    const oneStop = [1, 2].flatMap((round) =>
      ["none", "set-nx"].map((arm) => {
        const { events, ...rest } = roundOf(arm, round, { twice: arm === "none" ? powerful : [], faults: round === 1 });
        const jitter = { id: "f9", name: "jitter", target: "network" };
        const trouble = [fault(0, "inject", jitter), fault(10_500, "heal", jitter)];
        const more = (round === 1 ? trouble : []).map((event) => ({ ...event, arm, round }));
        return { ...rest, events: [...events, ...more].sort((a, b) => a.atNs - b.atNs) };
      }),
    );
    const rounds = [1, 2].map((round) => ({ round, order: [0, 1], arrivals: [], faults: round === 1 ? [stop] : [] }));
    const result = resultOf(planned([], { rounds }), oneStop);
    expect(result.bounds[0]?.faultWindows.n).toBe(1);
    expect(result).toMatchObject({ status: "unknown", power: { faultWindows: 1, enough: false } });
    expect(result.statusReason).toContain("in 1 fault window: too few");
  });

  test("unknown: a fault that was planned and never came, or never went", () => {
    const missing = run(powerful, [], planned([stop, { ...stop, id: "f2", trigger: { kind: "at", atMs: 4000 } }]));
    expect(missing.status).toBe("unknown");
    expect(missing.statusReason).toContain("worker-stop (f2) on worker:1, none, round 1, was never injected");
    const waiting = run(
      powerful,
      [],
      planned([stop, { ...stop, id: "f2", trigger: { kind: "on", event: "grant", nth: 9, afterMs: 0 } }]),
    );
    expect(waiting.statusReason).toContain("never came about: it waited for number 9 of grant");
    const rounds = [1, 2].flatMap((round) => [roundOf("none", round, { twice: powerful }), roundOf("set-nx", round)]);
    const unhealed = rounds.map((each) => ({
      ...each,
      events: each.events.filter(({ detail }) => detail?.action !== "heal"),
    }));
    expect(resultOf(planned(), unhealed)).toMatchObject({ status: "unknown" });
  });

  test("unknown: a check that threw, what the runner doubts, no control, no lock", () => {
    const rounds = [roundOf("none", 1, { twice: [2, 3, 4, 5, 6] }), roundOf("none", 2, { twice: [2] })];
    expect(
      resultOf(planned(), [], { checks: { judged: [], notJudged: [{ check: "exclusion", error: "boom" }] } }),
    ).toMatchObject({
      status: "unknown",
      warnings: ["A check failed itself: exclusion: boom"],
    });
    expect(resultOf(planned(), rounds, { unknown: ["the queue did not answer after healing"] })).toMatchObject({
      status: "unknown",
      statusReason: "The queue did not answer after healing.",
    });
    expect(resultOf(planned([stop], { arms: [armOf("none", "control")] }), rounds).statusReason).toContain(
      "Only controls",
    );
    const alone = planned([stop], { arms: [armOf("set-nx", "lock")] });
    expect(resultOf(alone, [roundOf("set-nx", 1), roundOf("set-nx", 2)]).statusReason).toContain("no control");
  });

  test("without faults it measures cost only, and says so", () => {
    const result = run([], [], planned([]), false);
    expect(result).toMatchObject({ status: "passed", power: null });
    expect(result.statusReason).toContain("measures cost only, and says nothing about safety");
  });

  test("unknown: no cost was measured where nothing was granted", () => {
    const silent = resultOf(planned([]), [{ arm: "set-nx", round: 1, events: [] }]);
    expect(silent.status).toBe("unknown");
    expect(silent.statusReason).toMatch(/^Nothing was measured: no job arrived in [\d.]+ s\. .*--rate.*--duration/);
    const { events } = roundOf("set-nx", 1);
    const refused = [{ arm: "set-nx", round: 1, events: events.filter(({ op }) => op !== "acquire") }];
    expect(resultOf(planned([]), refused)).toMatchObject({
      status: "unknown",
      statusReason: "Nothing was measured: set-nx was never granted.",
    });
  });

  test("interrupted: before anything ran, and with a finding until then", () => {
    const empty = resultOf(planned(), [], { interrupted: "interrupted before the first round" });
    expect(empty).toMatchObject({ status: "interrupted", statusReason: "Interrupted before the first round." });
    expect(() => lockResultSchema.parse(JSON.parse(JSON.stringify(empty)))).not.toThrow();
    const found = resultOf(planned(), [roundOf("set-nx", 1, { twice: [2] })], { interrupted: "Ctrl-C in round 2" });
    expect(found).toMatchObject({ status: "interrupted" });
    expect(found.statusReason).toContain("Until then: set-nx: exclusion");
  });
});

test("an acquire that tells how long its call took is believed, since it is written down before the call", () => {
  const round = roundOf("set-nx", 1);
  const events = round.events.map((event) =>
    event.op === "acquire" && event.phase === "ok" ? { ...event, detail: { tookNs: 400_000 } } : event,
  );
  const [told] = resultOf(planned([stop]), [{ ...round, events }]).arms.filter(({ role }) => role === "lock");
  expect(told?.acquire).toMatchObject({ count: 10 });
  expect(told?.acquire.p50Ms).toBeCloseTo(0.4, 2);
});

describe("advice notes", () => {
  const topics = (result: LockResult) => result.advice.notes.map(({ topic }) => topic);

  test("an expired hold asks for renewal or fencing, a short TTL for a longer one", () => {
    const result = run(powerful, [2], planned([stop], { ttlMs: 150 }));
    expect(topics(result)).toEqual(expect.arrayContaining(["ttl", "renewal"]));
  });

  test("sequential duplicates under --ack after ask for the acknowledgement inside the lock", () => {
    const round = roundOf("set-nx", 1);
    const again = execution({
      worker: 2,
      job: "j9",
      key: "k-j9",
      attempt: 2,
      acquire: [9700, 9701],
      effect: [9800, 9801],
      release: [9802, 9803],
    });
    const events = [...round.events, ...again, witnessed(10_600, "j9/2@2.1")].sort((a, b) => a.atNs - b.atNs);
    const result = resultOf(planned([stop], { ack: "after" }), [{ ...round, events }]);
    expect(result.findings).toMatchObject([{ check: "duplicates", class: "sequential" }]);
    expect(result.advice.notes.find(({ topic }) => topic === "ack")?.text).toContain("--ack inside");
  });

  test("jobs that were skipped for good are said to need a retry where the holder does other work", () => {
    const round = roundOf("set-nx", 1);
    const skipped: HistoryEvent = {
      ...{ atNs: 9_850e6, wallMs: 0, arm: "set-nx", round: 1, worker: 2, incarnation: 1 },
      ...{ op: "skip", phase: "ok", execution: "j8/2@2.1", job: "j-skipped", key: "k-j8", outcome: "dropped" },
    };
    const events = [...round.events, ...arrival("j-skipped", 9_800, 9_801), skipped].sort((a, b) => a.atNs - b.atNs);
    const result = resultOf(planned([stop], { onSkip: "drop" }), [{ ...round, events }]);
    expect(result.arms.find(({ name }) => name === "set-nx")?.jobs.dropped).toBe(1);
    expect(result.advice.notes.find(({ topic }) => topic === "skip")?.text).toMatch(/^A job was skipped .* retry it/);
    expect(topics(run(powerful))).not.toContain("skip");
  });
});

test("no number in a result is NaN or infinite, however little was recorded", () => {
  const numbers = (value: unknown): number[] =>
    typeof value === "number"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(numbers)
        : [];
  const cases = [
    resultOf(planned(), []),
    resultOf(planned(), [{ arm: "set-nx", round: 1, events: [] }]),
    resultOf(planned(), [{ arm: "none", round: 1, events: [{ ...milestone(0, "load-start"), arm: "none" }] }]),
    resultOf(planned([], { load: { kind: "max", inFlight: 4 } }), []),
    run(powerful),
  ];
  for (const result of cases) {
    expect(numbers(result).every(Number.isFinite)).toBe(true);
    expect(() => lockResultSchema.parse(result)).not.toThrow();
  }
});
