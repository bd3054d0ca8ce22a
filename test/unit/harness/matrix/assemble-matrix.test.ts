import { describe, expect, test } from "vitest";
import { assembleMatrixResult, type MatrixMeta } from "../../../../harness/matrix/assemble-matrix.ts";
import type { CellOutcome } from "../../../../harness/matrix/cell.ts";
import { cellsOf } from "../../../../harness/matrix/cells.ts";
import { matrixResultSchema } from "../../../../harness/results/matrix-schema.ts";
import { lockOf, scenarioOf } from "./matrix-under-test.ts";

const locks = [lockOf("a"), lockOf("broken", { family: "broken" })];
const scenarios = [
  scenarioOf("one"),
  scenarioOf("two", { notApplicable: ({ name }) => (name === "broken" ? "it is not for it" : undefined) }),
];
const meta: MatrixMeta = {
  id: "matrix-1",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  seed: 1,
  argv: [],
  config: {},
  replay: "harness matrix",
  tool: { version: "0", commit: null, dirty: null },
  environment: { node: "20", os: "x", cpu: "y", cores: 2 },
  warnings: [],
  failOn: [],
  replayOf: (lock, scenario) => `${lock.name} ${scenario.name}`,
};
const outcome = (verdict: CellOutcome["verdict"], checks: string[] = []): CellOutcome => ({
  ...{ verdict, checks, reason: verdict, durationMs: 10 },
  findings: checks.map((check) => ({ check, class: "c", arm: "a", count: 1, message: "m", evidence: [] })),
});

function assemble(outcomes: Record<string, CellOutcome>, over: Partial<MatrixMeta> = {}, repeat = 1) {
  const cells = cellsOf({ locks, scenarios, repeat, seed: 1 });
  const result = assembleMatrixResult({
    ...{ locks, scenarios, cells },
    outcomes: new Map(Object.entries(outcomes)),
    meta: { ...meta, ...over },
  });
  return matrixResultSchema.parse(result);
}
const whole = {
  "a~one~1": outcome("broke", ["exclusion"]),
  "a~two~1": outcome("held"),
  "broken~one~1": outcome("broke", ["ownership"]),
};

describe("the result of a matrix", () => {
  test("has a place for every lock in every scenario, and says why one does not apply", () => {
    const { cells, status } = assemble(whole);
    expect(cells.map(({ lock, scenario, verdict }) => [lock, scenario, verdict])).toEqual([
      ["a", "one", "broke"],
      ["a", "two", "held"],
      ["broken", "one", "broke"],
      ["broken", "two", "not-applicable"],
    ]);
    expect(cells[3]?.reason).toBe("It is not for it.");
    expect(cells[0]).toMatchObject({ checks: ["exclusion"], n: 1, broke: 1, replay: "a one" });
    expect(status).toBe("passed");
  });

  test("passes whatever broke, unless --fail-on says so; what is broken on purpose never fails it", () => {
    expect(assemble(whole, { failOn: ["hung"] }).status).toBe("passed");
    expect(assemble(whole, { failOn: ["broke"] })).toMatchObject({
      status: "failed",
      statusReason: "--fail-on broke: a in one broke.",
    });
    expect(assemble({ ...whole, "a~one~1": outcome("held") }, { failOn: ["broke"] }).status).toBe("passed");
  });

  test("is interrupted as long as cells are missing, and says how to go on", () => {
    const { status, statusReason, cells } = assemble({ "a~one~1": outcome("held") }, { interrupted: "Interrupted." });
    expect(status).toBe("interrupted");
    expect(statusReason).toBe("Interrupted. 2 cells are still to run: --resume goes on with them.");
    expect(cells.filter(({ verdict }) => verdict !== "not-applicable")).toHaveLength(1);
  });

  test("of several runs the worst speaks, counted among those that reached a verdict", () => {
    const { cells } = assemble(
      {
        ...{ "a~one~1": outcome("unknown"), "a~one~2": outcome("hung", ["hang"]), "a~one~3": outcome("held") },
        ...{ "a~two~1": outcome("unknown"), "a~two~2": outcome("unknown"), "a~two~3": outcome("unknown") },
      },
      {},
      3,
    );
    expect(cells[0]).toMatchObject({ verdict: "hung", n: 2, broke: 1, checks: ["hang"], durationMs: 30 });
    expect(cells[0]?.reason).toContain("2 of 3 runs");
    expect(cells[1]).toMatchObject({ verdict: "unknown", n: 3, broke: 0 });
  });

  test("is unknown, with a reason, when not one cell reached a verdict", () => {
    const unknown = { ...outcome("unknown"), reason: "Not reached: the sky fell." };
    expect(assemble({ "a~one~1": unknown, "a~two~1": unknown, "broken~one~1": unknown })).toMatchObject({
      status: "unknown",
      statusReason: "No cell reached a verdict, such as a in one: Not reached: the sky fell.",
    });
    expect(assemble({ ...whole, "a~one~1": unknown, "a~two~1": unknown }).status).toBe("passed");
    const nothing = assembleMatrixResult({
      ...{ locks: [locks[1]!], scenarios: [scenarios[1]!], cells: [], outcomes: new Map() },
      meta,
    });
    expect(nothing).toMatchObject({
      status: "unknown",
      statusReason: "No scenario applies, such as broken in two: It is not for it.",
    });
  });
});
