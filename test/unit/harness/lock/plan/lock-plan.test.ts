import { describe, expect, test } from "vitest";
import { parseJobTime } from "../../../../../harness/config/job-time.ts";
import { lockOptions } from "../../../../../harness/config/lock-options.ts";
import type { JobTime } from "../../../../../harness/contracts/lock-plan.ts";
import { type PlanContext, readFaultPlan } from "../../../../../harness/faults/plan-language/fault-plan.ts";
import { formatFaults } from "../../../../../harness/faults/plan-language/format.ts";
import { describePlan, faultsText, planNotes } from "../../../../../harness/lock/plan/describe.ts";
import { type LockExperiment, makeLockPlan } from "../../../../../harness/lock/plan/lock-plan.ts";
import { serializePlan } from "../../../../../harness/results/serialize-plan.ts";
import { descriptions } from "../../faults/plan-language/descriptions.ts";

const faultContext: PlanContext = {
  faults: descriptions,
  topology: "single" as const,
  counts: { nodes: 1, workers: 4 },
  roundMs: 5_000,
  rounds: 3,
};
const ref = (name: string) => ({ name, path: `/dist/workloads/${name}.js` });

function experiment(changed: Partial<LockExperiment> & { faultText?: string } = {}): LockExperiment {
  const { faultText = "article", ...rest } = changed;
  const context = { ...faultContext, ...(rest.faultContext ?? {}) };
  return {
    seed: 7,
    topology: "single",
    workers: 4,
    concurrency: 16,
    ttlMs: 15_000,
    visibilityMs: 2_000,
    claimIntervalMs: 200,
    ack: "inside",
    onSkip: "leave",
    fencing: "on",
    trace: "auto",
    queue: ref("streams"),
    job: { ...ref("webhook"), time: parseJobTime(String(lockOptions.jobTime.default)) as JobTime },
    rate: { perMinute: 1_200 },
    arrivals: "poisson",
    keys: "per-job",
    roundMs: 5_000,
    rounds: 3,
    locks: [{ ...ref("set-nx"), options: {} }],
    control: ref("none"),
    faults: readFaultPlan({ name: "--faults", text: faultText }, context),
    faultContext: context,
    ...rest,
  };
}

describe("the plan of a lock experiment", () => {
  test("is the same, byte for byte, for the same seed, and another for another", () => {
    const bytes = serializePlan(makeLockPlan(experiment()));
    expect(serializePlan(makeLockPlan(experiment()))).toBe(bytes);
    expect(serializePlan(makeLockPlan(experiment({ seed: 8 })))).not.toBe(bytes);
  });

  test("is stored with one line for an arrival, and reads back as it was", () => {
    for (const changed of [{}, { rate: "max" as const, faultText: "none" }]) {
      const plan = makeLockPlan(experiment(changed));
      expect(JSON.parse(serializePlan(plan))).toEqual(plan);
    }
    const lines = serializePlan(makeLockPlan(experiment())).split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {3}\{"job":"r1-j1","key":"r1-j1","atUs":\d+,"durationUs":\d+\},$/),
    );
  });

  test("has the controls first, then the locks; each arm once a round, in a balanced order", () => {
    const plan = makeLockPlan(experiment());
    expect(plan.arms.map(({ name, role, look }) => [name, role, look])).toEqual([
      ["none-literal", "control", false],
      ["none", "control", true],
      ["set-nx", "lock", true],
    ]);
    expect(plan.rounds.map(({ order }) => order)).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ]);
  });

  test("leaves the literal control out when acknowledging after the release, and says so", () => {
    const plan = makeLockPlan(experiment({ ack: "after", rounds: 4 }));
    expect(plan.arms.map(({ name, look }) => [name, look])).toEqual([
      ["none", false],
      ["set-nx", false],
    ]);
    expect(plan.rounds.map(({ order }) => order)).toEqual([
      [0, 1],
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
    expect(planNotes(plan).join(" ")).toContain("none-literal, being the same, is left out");
  });

  test("names an arm after its options", () => {
    const locks = [
      { ...ref("set-nx"), options: {} },
      { ...ref("set-nx"), options: { retries: 3, fast: true } },
    ];
    expect(makeLockPlan(experiment({ locks })).arms.map(({ name }) => name)).toEqual([
      "none-literal",
      "none",
      "set-nx",
      "set-nx(retries=3, fast=true)",
    ]);
  });

  test("draws arrivals, durations and keys from streams of their own", () => {
    const plan = makeLockPlan(experiment());
    const arrivals = (changed: Parameters<typeof experiment>[0]) =>
      makeLockPlan(experiment(changed)).rounds.map((round) => round.arrivals);
    const base = plan.rounds.map((round) => round.arrivals);
    // Other faults, keys or job times leave the rest as it was.
    expect(arrivals({ faultText: "none" })).toEqual(base);
    expect(arrivals({ workers: 8, ttlMs: 1 })).toEqual(base);
    const constant = arrivals({ job: { ...ref("webhook"), time: { kind: "constant", ms: 3 } } });
    expect(constant.map((round) => round.map(({ atUs }) => atUs))).toEqual(
      base.map((round) => round.map(({ atUs }) => atUs)),
    );
    const keyed = arrivals({ keys: 5 });
    expect(keyed.map((round) => round.map(({ durationUs }) => durationUs))).toEqual(
      base.map((round) => round.map(({ durationUs }) => durationUs)),
    );
    expect(new Set(keyed.flat().map(({ key }) => key))).toEqual(new Set(["k1", "k2", "k3", "k4", "k5"]));
  });

  test("arrivals come at the rate, in order, within the round, and each job is named once", () => {
    const plan = makeLockPlan(experiment({ rounds: 60 }));
    const all = plan.rounds.flatMap(({ arrivals }) => arrivals);
    // 60 rounds of 5 s at 20/s: 6,000 expected; the seed is fixed, so this is a fact about it.
    expect(all.length).toBeGreaterThan(5_600);
    expect(all.length).toBeLessThan(6_400);
    expect(new Set(all.map(({ job }) => job)).size).toBe(all.length);
    for (const { arrivals } of plan.rounds) {
      const times = arrivals.map(({ atUs }) => atUs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(Math.max(...times)).toBeLessThan(5_000_000);
      expect(times.every(Number.isInteger)).toBe(true);
    }
    // The default job time: 5 to 8 % beyond the visibility timeout of 2 s, none beyond its cut.
    const beyond = all.filter(({ durationUs }) => durationUs > 2_000_000).length / all.length;
    expect(beyond).toBeGreaterThan(0.05);
    expect(beyond).toBeLessThan(0.08);
    expect(Math.max(...all.map(({ durationUs }) => durationUs))).toBe(3_000_000);
  });

  test("constant arrivals stand at equal distances", () => {
    const [round] = makeLockPlan(experiment({ arrivals: "constant" })).rounds;
    expect(round?.arrivals).toHaveLength(100);
    expect(round?.arrivals.slice(0, 3).map(({ atUs }) => atUs)).toEqual([25_000, 75_000, 125_000]);
  });

  test("recorded job times are drawn from the record", () => {
    const time = { kind: "recorded" as const, valuesMs: [1, 20.5] };
    const [round] = makeLockPlan(experiment({ job: { ...ref("webhook"), time } })).rounds;
    expect(new Set(round?.arrivals.map(({ durationUs }) => durationUs))).toEqual(new Set([1_000, 20_500]));
  });

  test("every round of the article has a whole pause, a stop beyond the visibility timeout, a clock and jitter", () => {
    for (const { faults } of makeLockPlan(experiment()).rounds) {
      expect(faults.map(({ name }) => name).sort()).toEqual(["latency", "redis-pause", "worker-clock", "worker-stop"]);
      expect(faults.find(({ name }) => name === "redis-pause")?.forMs).toBe(2_000);
      expect(faults.find(({ name }) => name === "worker-stop")?.forMs).toBeGreaterThan(2_000);
    }
    expect(makeLockPlan(experiment()).profile).toBe("article");
    expect(makeLockPlan(experiment()).proxied).toBe(true);
  });

  test("rate max measures cost only: no control, no job, no proxy", () => {
    const plan = makeLockPlan(experiment({ rate: "max", faultText: "none" }));
    expect(plan.arms.map(({ name }) => name)).toEqual(["set-nx"]);
    expect(plan.rounds.every(({ arrivals }) => arrivals.length === 0)).toBe(true);
    expect(plan.load).toEqual({ kind: "max", inFlight: 16 });
    expect(plan.proxied).toBe(false);
  });

  test("the queue moves to a server of its own where the lock's server loses it", () => {
    expect(makeLockPlan(experiment()).queueOn).toBe("lock");
    expect(makeLockPlan(experiment({ faultText: "redis-flush(at=1s)" })).queueOn).toBe("own");
    expect(makeLockPlan(experiment({ faultText: "redis-flush(at=1s)", queueOn: "lock" })).queueOn).toBe("lock");
    expect(makeLockPlan(experiment({ topology: "redlock" })).queueOn).toBe("own");
  });

  test("reads well, and its faults read back", () => {
    const plan = makeLockPlan(experiment());
    const text = describePlan(plan, descriptions);
    expect(text).toContain("1200/min, poisson, a key for each job");
    expect(text).toContain("round 2: none, set-nx, none-literal");
    const [round] = plan.rounds;
    const printed = formatFaults(round?.faults ?? [], descriptions);
    expect(text.replaceAll("\n  ", ", ")).toContain(printed);
    expect(faultsText(plan, descriptions).split("\n")).toHaveLength(3);
    expect(faultsText(makeLockPlan(experiment({ faultText: "none" })), descriptions)).toBe("none");
  });
});
