import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { UsageError } from "../../../../harness/errors.ts";
import { readStoredHistory } from "../../../../harness/history/stored.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-history-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header = {
  schema: "harness.history/1",
  runId: "r1",
  startedAt: "2026-01-01T00:00:00.000Z",
  startedAtMonotonicNs: "123",
};
const event = (atNs: number, over: Partial<HistoryEvent> = {}): HistoryEvent => ({
  ...{ atNs, round: 1, arm: "set-nx", op: "lost", phase: "info", worker: 1 },
  ...over,
});
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const store = (text: string) => writeFileSync(join(folder, "history.ndjson"), text);

test("a merged history: header and events by round and arm, in the order of time", async () => {
  store(lines(header, event(5, { arm: "none" }), event(9), event(7), event(11, { round: 2 }), event(6, { round: 0 })));
  const stored = await readStoredHistory(folder);
  expect(stored.header).toEqual(header);
  expect(stored).toMatchObject({ merged: true, torn: [], events: 5 });
  expect(stored.armRounds.map(({ round, arm, events }) => [round, arm, events.map(({ atNs }) => atNs)])).toEqual([
    [1, "none", [5]],
    [1, "set-nx", [7, 9]],
    [2, "set-nx", [11]],
  ]);
});

test("a torn last line is left out and reported; a whole one without its newline counts", async () => {
  store(`${lines(header, event(1))}{"atNs":2,"rou`);
  const stored = await readStoredHistory(folder);
  expect(stored.events).toBe(1);
  expect(stored.torn).toEqual([{ file: join(folder, "history.ndjson"), line: 3, text: '{"atNs":2,"rou' }]);
  store(lines(header, event(1), event(2)).trimEnd());
  expect(await readStoredHistory(folder)).toMatchObject({ events: 2, torn: [] });
});

test("broken JSON inside a history, or an event that is none, is refused with file, line and field", async () => {
  store(`${lines(header, event(1))}{"atNs":\n${lines(event(3))}`);
  await expect(readStoredHistory(folder)).rejects.toThrow(/history\.ndjson cannot be read: line 3: /);
  store(lines(header, event(1), { ...event(2), phase: "maybe" }));
  await expect(readStoredHistory(folder)).rejects.toThrow(
    /history\.ndjson cannot be read: line 3: phase is "maybe", not invoke, ok, fail or info/,
  );
  await expect(readStoredHistory(folder)).rejects.toBeInstanceOf(UsageError);
});

test("a newer history is refused with what to do", async () => {
  store(lines({ ...header, schema: "harness.history/2" }));
  await expect(readStoredHistory(folder)).rejects.toThrow(/Use the version of holdfast that wrote it/);
});

test("an interrupted run is read from its journals, torn lines and all", async () => {
  mkdirSync(join(folder, "journals"));
  writeFileSync(join(folder, "journals", "worker-1.1.ndjson"), lines(event(1), event(4)));
  writeFileSync(join(folder, "journals", "worker-2.1.ndjson"), lines(event(2), event(3)));
  appendFileSync(join(folder, "journals", "worker-1.1.ndjson"), '{"atNs":5,"roun\n{"atNs"');
  const stored = await readStoredHistory(folder);
  expect(stored.merged).toBe(false);
  expect(stored.armRounds[0]?.events.map(({ atNs }) => atNs)).toEqual([1, 2, 3, 4]);
  expect(stored.torn.map(({ line }) => line)).toEqual([3, 4]);
});

test("a folder without a history says what it looked for", async () => {
  await expect(readStoredHistory(folder)).rejects.toThrow(/neither history\.ndjson nor journals/);
});

test("lines longer than a chunk, and text beyond ASCII, are read whole", async () => {
  const long = "ä€😀".repeat(1_000_000);
  store(lines(header, event(1, { error: long }), event(2, { error: "kurz – ß" })));
  const stored = await readStoredHistory(folder);
  expect(stored.armRounds[0]?.events.map(({ error }) => error)).toEqual([long, "kurz – ß"]);
});
