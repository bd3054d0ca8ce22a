import { expect, test } from "vitest";
import { checkRegistry, runChecks } from "../../../../harness/checks/registry.ts";
import type { Check } from "../../../../harness/contracts/check.ts";
import { command, execution, runOf } from "./hand-written.ts";

const events = execution({ worker: 1, acquire: [0, 10], release: [20, 21] });
const needTrace = ["validity", "ownership", "orphan lock"];

test("every check judges a plain history; those that need a command trace wait for one", () => {
  const names = checkRegistry.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(runChecks(runOf(events))).toEqual({
    findings: [],
    judged: names.filter((name) => !needTrace.includes(name)),
    notJudged: [],
  });
  expect(runChecks(runOf([...events, command(5, "SET k1 t1 NX PX 1000")])).judged).toEqual(names);
});

test("a check that throws is named, and spoils nothing else", () => {
  const broken: Check = {
    name: "broken",
    summary: "Throws",
    classes: {},
    check() {
      throw new Error("boom");
    },
  };
  const overlap = [...events, ...execution({ worker: 2, attempt: 2, acquire: [11, 12], release: [30] })];
  const outcome = runChecks(runOf(overlap), [broken, ...checkRegistry]);
  expect(outcome.notJudged).toMatchObject([{ check: "broken", error: expect.stringContaining("boom") }]);
  expect(outcome.findings.map(({ check }) => check)).toContain("exclusion");
});

test("a danger of which nothing came is shown after what did come about", () => {
  const careless = [command(1, "SET k1 t1 NX PX 1000"), command(25, "DEL k1")];
  const checks = (more: typeof events) =>
    runChecks(runOf([...events, ...careless, ...more])).findings.map(({ check, class: kind }) => `${check} ${kind}`);
  const unguarded = "ownership unguarded";
  const late = checks([command(30, "SET k1 t2 NX PX 1000"), command(35, "DEL k1", { by: "10.0.0.9:1" })]);
  expect(late).toContain("ownership deleted");
  expect(late.at(-1)).toBe(unguarded);
  for (const { classes, lesser = [] } of checkRegistry)
    expect(Object.keys(classes)).toEqual(expect.arrayContaining([...lesser]));
});

test("every class that a finding may have is documented", () => {
  for (const { classes, summary } of checkRegistry) {
    expect(Object.values(classes).every((sentence) => sentence.length > 10)).toBe(true);
    expect(summary.endsWith(".")).toBe(false);
  }
});
