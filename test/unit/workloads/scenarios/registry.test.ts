import { describe, expect, test } from "vitest";
import type { LockCapabilities } from "../../../../harness/contracts/lock-adapter.ts";
import { planOfCell } from "../../../../harness/matrix/cell-plan.ts";
import { parseLockPlan } from "../../../../harness/results/lock-plan-schema.ts";
import { brokenLocks } from "../../../../workloads/locks/broken/registry.ts";
import { scenarioRegistry } from "../../../../workloads/scenarios/registry.ts";
import { cellOf, lockOf, workloads } from "../../harness/matrix/matrix-under-test.ts";

const shapes = (["none", "manual", "auto"] as const).flatMap((renewal) =>
  ([1, 5] as const).flatMap((nodes) =>
    (["none", "atomic"] as const).map(
      (fencing): LockCapabilities => ({ renewal, nodes, fencing, client: "any", commandTimeout: "full" }),
    ),
  ),
);
const locks = [
  ...shapes.map((capabilities) =>
    lockOf(`${capabilities.renewal}-${capabilities.nodes}-${capabilities.fencing}`, { capabilities }),
  ),
  lockOf("bullmq", { queue: "bullmq" }),
];

describe.each(scenarioRegistry.map((scenario) => [scenario.name, scenario] as const))("scenario %s", (_, scenario) => {
  const applicable = locks.filter((lock) => scenario.notApplicable?.(lock) === undefined);

  test("applies to some lock, and gives a plan that can be run for each of them", () => {
    expect(applicable.length).toBeGreaterThan(0);
    for (const lock of applicable) {
      const plan = planOfCell(cellOf(lock, scenario), workloads);
      expect(parseLockPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
      const last = plan.rounds[0]?.arrivals.at(-1);
      expect((last?.atUs ?? 0) / 1_000).toBeLessThan(plan.roundMs);
    }
  });

  test("is not reached by a history in which nothing happened", () => {
    const plan = planOfCell(cellOf(applicable[0]!, scenario), workloads);
    const empty = { arm: "any", round: 1, events: [] };
    expect(scenario.reach.length).toBeGreaterThan(0);
    expect(scenario.reach.some(({ reached }) => reached(empty, plan))).toBe(false);
  });

  test("says what it is, in sentences without a full stop", () => {
    for (const text of [scenario.summary, scenario.correctLock, ...scenario.reach.map(({ name }) => name)]) {
      expect(text).toMatch(/[^.]$/);
      expect(text.length).toBeGreaterThan(5);
    }
  });
});

test("names are unique, and each broken lock's scenario is there", () => {
  const names = scenarioRegistry.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const missing = brokenLocks.map(({ caughtBy }) => caughtBy?.scenario ?? "").filter((name) => !names.includes(name));
  expect(missing).toEqual([]);
});
