import { describe, expect, test } from "vitest";
import { checkRegistry } from "../../../../../harness/checks/registry.ts";
import { type Expectation, expectationsOf } from "../../../../../harness/matrix/self-test/expectations.ts";
import { judgeSelfTest } from "../../../../../harness/matrix/self-test/judge-self-test.ts";
import { lockRegistry } from "../../../../../workloads/locks/registry.ts";
import { scenarioRegistry } from "../../../../../workloads/scenarios/registry.ts";

type Outcome = { verdict: "held" | "broke" | "hung" | "unknown" | "not-applicable"; reason: string; checks: string[] };
const held: Outcome = { verdict: "held", reason: "Held.", checks: [] };
const broke = (...checks: string[]): Outcome => ({ verdict: "broke", reason: `${checks.join()} broke.`, checks });
const unreached: Outcome = { verdict: "unknown", reason: "Not reached.", checks: [] };

const broken: Expectation = { lock: "b", scenario: "s", checks: ["ownership"] };
const sound: Expectation = { lock: "m", scenario: "s", checks: [] };
const judged = (outcomes: Record<string, Outcome>) => {
  const { status, cases } = judgeSelfTest([broken, sound], ({ lock }) => outcomes[lock]);
  return [status, ...cases.map(({ verdict }) => verdict)];
};

describe("the self-test of the checks", () => {
  test("passes when the broken lock is found by its check and the sound one by none", () => {
    expect(judged({ b: broke("exclusion", "ownership"), m: held })).toEqual(["passed", "as expected", "as expected"]);
  });

  test("fails when a broken lock gets away, be it by the wrong check", () => {
    expect(judged({ b: held, m: held })).toEqual(["failed", "missed", "as expected"]);
    expect(judged({ b: broke("exclusion"), m: held })).toEqual(["failed", "missed", "as expected"]);
  });

  test("fails on a finding against a sound lock", () => {
    expect(judged({ b: broke("ownership"), m: broke("hygiene") })).toEqual(["failed", "as expected", "false alarm"]);
  });

  test("a scenario that did not come about leaves a broken lock open, and a sound one as it was", () => {
    expect(judged({ b: unreached, m: held })).toEqual(["unknown", "not reached", "as expected"]);
    expect(judged({ b: broke("ownership"), m: unreached })).toEqual(["passed", "as expected", "not reached"]);
    expect(judged({ b: broke("ownership"), m: { ...unreached, verdict: "not-applicable" } })).toEqual([
      "passed",
      "as expected",
    ]);
    expect(judged({ m: held })).toEqual(["unknown", "not reached", "as expected"]);
  });
});

describe("the table of the self-test", () => {
  const table = expectationsOf(lockRegistry, scenarioRegistry);

  test("names scenarios and checks that there are", () => {
    const scenarios = new Set(scenarioRegistry.map(({ name }) => name));
    const checks = new Set(checkRegistry.map(({ name }) => name));
    for (const expectation of table) {
      expect(scenarios).toContain(expectation.scenario);
      for (const check of expectation.checks) expect(checks).toContain(check);
    }
    for (const { soundBut = {} } of lockRegistry)
      for (const name of Object.keys(soundBut)) expect(scenarios).toContain(name);
  });

  test("proves every check on a broken lock", () => {
    const proven = new Set(table.flatMap(({ checks }) => checks));
    expect(checkRegistry.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([]);
  });

  test("puts the mutex server into every scenario, and a fenced lock into most", () => {
    const of = (name: string) => table.filter(({ lock }) => lock === name).length;
    expect(of("mutex-server")).toBe(scenarioRegistry.length);
    expect(of("set-nx-fenced")).toBeGreaterThan(scenarioRegistry.length / 2);
  });
});
