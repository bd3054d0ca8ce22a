import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HistoryHeader } from "../../../../harness/contracts/history.ts";
import { mergeJournals } from "../../../../harness/history/merge.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-merge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header: HistoryHeader = {
  schema: "harness.history/1",
  runId: "r1",
  startedAt: "2026-01-01T00:00:00.000Z",
  startedAtMonotonicNs: "123",
};

async function merge(journals: readonly string[]) {
  const files = journals.map((text, position) => {
    const file = join(folder, `j${position}.ndjson`);
    writeFileSync(file, text);
    return file;
  });
  const to = join(folder, "history.ndjson");
  const outcome = await mergeJournals(files, { to, header });
  const [first, ...rest] = readFileSync(to, "utf8").trimEnd().split("\n");
  return { ...outcome, header: JSON.parse(first!) as unknown, lines: rest.map((line) => JSON.parse(line)) };
}

const line = (atNs: number, from: string) => `${JSON.stringify({ atNs, from })}\n`;

test("journals become one history in the order of time, under one header", async () => {
  const merged = await merge([line(1, "a") + line(4, "a"), line(2, "b") + line(3, "b"), ""]);
  expect(merged.header).toEqual(header);
  expect(merged.lines.map(({ atNs }) => atNs)).toEqual([1, 2, 3, 4]);
  expect(merged.events).toBe(4);
  expect(existsSync(join(folder, "history.ndjson.partial"))).toBe(false);
});

test("equal times keep the order of the journals, and the order within each", async () => {
  const merged = await merge([line(7, "a1") + line(7, "a2"), line(7, "b1")]);
  expect(merged.lines.map(({ from }) => from)).toEqual(["a1", "a2", "b1"]);
});

test("torn lines are left out and reported, also where a later writer went on behind one", async () => {
  const merged = await merge([`${line(1, "a")}{"atNs":2,"fr`, `{"atNs":3,"fr${line(4, "b")}${line(5, "b")}`]);
  expect(merged.lines.map(({ atNs }) => atNs)).toEqual([1, 5]);
  expect(merged.torn.map(({ line: number }) => number).sort()).toEqual([1, 2]);
});

test("any journals, out of order by less than 30 s: nothing is lost, everything is in order", async () => {
  const start = fc.integer({ min: 0, max: 1_000 }).map((seconds) => seconds * 1e9);
  const disordered = fc.array(fc.integer({ min: 0, max: 29_000_000_000 }), { maxLength: 60 });
  const journal = fc.array(fc.tuple(start, disordered), { maxLength: 4 }).map(
    (parts) =>
      parts
        .sort(([a], [b]) => a - b)
        .reduce<{ times: number[]; latest: number }>(
          ({ times, latest }, [after, offsets]) => {
            const moved = offsets.map((offset) => Math.max(latest, after) + offset);
            return { times: [...times, ...moved], latest: Math.max(latest, ...moved) };
          },
          { times: [], latest: 0 },
        ).times,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(journal, { minLength: 1, maxLength: 6 }), async (journals) => {
      const merged = await merge(journals.map((times) => times.map((atNs) => line(atNs, "x")).join("")));
      const expected = journals.flat().sort((a, b) => a - b);
      expect(merged.lines.map(({ atNs }) => atNs)).toEqual(expected);
      expect(merged.torn).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
