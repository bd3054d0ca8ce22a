import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withKnownLength } from "../../../../harness/results/known-length.ts";
import { lockResult } from "../../../fixtures/results/lock-result.ts";

function folderOfKilledRun(...timesMs: number[]): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-killed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "journals"));
  const event = (ms: number) => ({
    ...{ atNs: ms * 1e6, round: 1, arm: "set-nx", op: "lost", phase: "info", worker: 1 },
  });
  for (const [index, ms] of timesMs.entries())
    writeFileSync(
      join(folder, "journals", `round1-arm1-worker${index}.1.ndjson`),
      `${JSON.stringify(event(ms))}\n{"atN`,
    );
  return folder;
}

const killed = { ...lockResult({ status: "interrupted" }), durationMs: 0 };

test("a killed run is as long as the last that it wrote down", async () => {
  expect((await withKnownLength(killed, folderOfKilledRun(3_200, 4_100, 17))).durationMs).toBe(4_100);
});

test("where nothing was written down the length stays unknown; what is known is not touched", async () => {
  expect(await withKnownLength(killed, folderOfKilledRun())).toBe(killed);
  const whole = { ...killed, durationMs: 9_000 };
  expect(await withKnownLength(whole, folderOfKilledRun(3_200))).toBe(whole);
});
