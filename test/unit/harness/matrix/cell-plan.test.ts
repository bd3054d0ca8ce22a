import { describe, expect, test } from "vitest";
import { planOfCell } from "../../../../harness/matrix/cell-plan.ts";
import { parseLockPlan } from "../../../../harness/results/lock-plan-schema.ts";
import { cellOf, lockOf, scenarioOf, workloads } from "./matrix-under-test.ts";

const fenced = { renewal: "none", fencing: "atomic", nodes: 1, client: "x" } as const;

describe("the plan of a cell", () => {
  const plan = planOfCell(cellOf(lockOf("a"), scenarioOf("s")), workloads);

  test("is a lock plan of one arm, the lock, and one round, that can be stored and read again", () => {
    expect(plan.arms.map(({ name, role }) => [name, role])).toEqual([["a", "lock"]]);
    expect(plan.rounds).toHaveLength(1);
    expect(plan.rounds[0]?.arrivals).toEqual([{ job: "j1", key: "k1", atUs: 10_000, durationUs: 50_000 }]);
    expect(parseLockPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  test("draws what is left to chance from the seed of the cell", () => {
    const targets = (seed: number) =>
      planOfCell(cellOf(lockOf("a"), scenarioOf("s"), { seed }), workloads).rounds[0]?.faults[0]?.targets[0];
    expect(targets(7)).toBe(plan.rounds[0]?.faults[0]?.targets[0]);
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(targets))).toEqual(new Set(["worker:1", "worker:2"]));
  });

  test("has the queue out of the faults' reach, and the servers that the lock needs", () => {
    expect(plan).toMatchObject({ topology: "single", queueOn: "own", proxied: true });
    const quorum = lockOf("q", { capabilities: { ...fenced, fencing: "none", nodes: 5 } });
    expect(planOfCell(cellOf(quorum, scenarioOf("s")), workloads)).toMatchObject({ topology: "redlock" });
  });

  test("gives locks with fencing tokens a job that uses them", () => {
    expect(plan.job.name).toBe("webhook");
    expect(planOfCell(cellOf(lockOf("f", { capabilities: fenced }), scenarioOf("s")), workloads).job.name).toBe(
      "invoice",
    );
  });

  test("acknowledges in an order that the lock's queue can have, and looks only inside", () => {
    expect(plan).toMatchObject({ ack: "inside", arms: [{ look: true }] });
    const inside = planOfCell(cellOf(lockOf("b", { queue: "bullmq" }), scenarioOf("s")), workloads);
    expect(inside).toMatchObject({ queue: { name: "bullmq" }, ack: "after", arms: [{ look: false }] });
  });

  test("a load of cycles is shared out among the workers", () => {
    const cycles = scenarioOf("c", {
      plan: () => ({
        workers: 3,
        ttlMs: 100,
        visibilityMs: 100,
        load: { cycles: 100, inFlight: 4, holdMs: 20 },
        faults: "",
        roundMs: 1_000,
      }),
    });
    expect(planOfCell(cellOf(lockOf("a"), cycles), workloads).load).toEqual({
      kind: "max",
      inFlight: 4,
      holdMs: 20,
      cycles: 34,
    });
  });
});
