import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planOfCell } from "../../../../../harness/matrix/cell-plan.ts";
import { carryOut } from "../../../../../harness/matrix/judging/carry-out.ts";
import { serializePlan } from "../../../../../harness/results/serialize-plan.ts";
import { cellOf, lockOf, scenarioOf, workloads } from "../matrix-under-test.ts";

const header = {
  schema: "harness.history/1",
  runId: "r",
  startedAt: "2026-01-01T00:00:00.000Z",
  startedAtMonotonicNs: "0",
} as const;
const scenarios = (folder: string) => join(folder, "scenarios.mjs");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "carry-out-"));
  mkdirSync(join(folder, "journals"));
  writeFileSync(
    scenarios(folder),
    `export const scenarioRegistry = [{ name: "s", reach: [{ name: "a word was said", reached: ({ events }) => events.some(({ outcome }) => outcome === "drained") }] }];`,
  );
  writeFileSync(join(folder, "plan.json"), serializePlan(planOfCell(cellOf(lockOf("a"), scenarioOf("s")), workloads)));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function journal(...outcomes: string[]): void {
  const lines = outcomes.map((outcome, index) =>
    JSON.stringify({ atNs: index, round: 1, arm: "a", worker: 0, op: "round", phase: "info", outcome }),
  );
  writeFileSync(join(folder, "journals", "orchestrator.ndjson"), `${lines.join("\n")}\n`);
}

const judge = (scenario = "s") => ({
  scenarios: scenarios(folder),
  scenario,
  fenced: false,
  durationMs: 12,
});

describe("an order to judge", () => {
  test("makes one history of the journals and judges it by the scenario of that name", async () => {
    journal("load-start", "healed", "drained");
    const judgement = await carryOut({ folder, header, judge: judge() });
    expect(judgement).toMatchObject({ outcome: { verdict: "held", durationMs: 12 }, sound: true });
    expect(existsSync(join(folder, "history.ndjson"))).toBe(true);
    expect(existsSync(join(folder, "journals"))).toBe(false);
  });

  test("what was not reached is unknown, and servers that do not answer are of no use any more", async () => {
    journal("load-start", "healed");
    expect((await carryOut({ folder, header, judge: judge() }))?.outcome).toMatchObject({
      verdict: "unknown",
      reason: "Not reached: a word was said.",
    });
    mkdirSync(join(folder, "journals"));
    journal("load-start", "no-answer", "healed", "drained");
    expect((await carryOut({ folder, header, judge: judge() }))?.sound).toBe(false);
  });

  test("a cell that broke off has its history, and no judgement", async () => {
    journal("load-start");
    expect(await carryOut({ folder, header })).toBeUndefined();
    expect(existsSync(join(folder, "history.ndjson"))).toBe(true);
  });

  test("a scenario that is not there is an error", async () => {
    journal("load-start");
    await expect(carryOut({ folder, header, judge: judge("t") })).rejects.toThrow("no scenario named t");
  });
});
