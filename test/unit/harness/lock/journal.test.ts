import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJournal } from "../../../../harness/lock/journal.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-journal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: { writeAfterMs?: number } = {}) =>
  openJournal({
    ...more,
    file: join(folder, "w1.ndjson"),
    startedAtMonotonicNs: String(process.hrtime.bigint()),
    round: 2,
    arm: "set-nx",
    worker: 1,
    incarnation: 3,
  });
const written = () =>
  readFileSync(join(folder, "w1.ndjson"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("each event says who and when", () => {
  const journal = open();
  journal.record({ op: "acquire", phase: "invoke", key: "k" });
  journal.flush();
  const [event] = written();
  expect(event).toMatchObject({ round: 2, arm: "set-nx", worker: 1, incarnation: 3, op: "acquire", key: "k" });
  expect(Number.isInteger(event.atNs)).toBe(true);
  journal.close();
});

test("entries wait for the end of the tick, unless flushed", async () => {
  const journal = open();
  journal.record({ op: "look", phase: "invoke" });
  expect(written()).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written()).toHaveLength(1);
  journal.record({ op: "release", phase: "invoke" });
  journal.flush();
  expect(written()).toHaveLength(2);
  journal.close();
});

test("entries may wait longer, and are written by themselves all the same", async () => {
  const journal = open({ writeAfterMs: 5 });
  journal.record({ op: "arrive", phase: "invoke" });
  journal.record({ op: "arrive", phase: "ok" });
  await new Promise((resolve) => setImmediate(resolve));
  journal.flush();
  expect(written()).toHaveLength(2);
  journal.record({ op: "round", phase: "info" });
  while (written().length < 3) await new Promise((resolve) => setTimeout(resolve, 2));
  journal.close();
  expect(written()).toHaveLength(3);
});

test("closing writes what is left, in order, and an event keeps the time it is given", () => {
  const journal = open();
  journal.record({ op: "look", phase: "invoke", atNs: 5 });
  journal.record({ op: "look", phase: "ok", atNs: 7 });
  journal.close();
  expect(written().map(({ atNs }) => atNs)).toEqual([5, 7]);
});

test("fields that come spelled make the same line, in their place", () => {
  const journal = open();
  journal.record({ op: "acquire", phase: "invoke", key: "k" });
  journal.recordSpelled('"op":"acquire","phase":"invoke","key":"k"');
  journal.close();
  const [plain, spelled] = written();
  expect({ ...spelled, atNs: 0 }).toEqual({ ...plain, atNs: 0 });
  expect(spelled.atNs).toBeGreaterThanOrEqual(plain.atNs);
});

test("texts longer than the buffer, and letters of several bytes, are written whole", () => {
  const journal = open();
  const keys = ["ä".repeat(10), "€".repeat(40_000), "x".repeat(70_000), "👍".repeat(21)];
  for (const key of keys) {
    journal.record({ op: "look", phase: "ok", key });
    journal.flush();
  }
  journal.close();
  expect(written().map(({ key }) => key)).toEqual(keys);
});

test("an entry may speak of another worker", () => {
  const journal = open();
  journal.record({ op: "worker", phase: "info", outcome: "ready", worker: 4, incarnation: 1 });
  journal.close();
  expect(written()).toEqual([expect.objectContaining({ worker: 4, incarnation: 1, round: 2, outcome: "ready" })]);
});

test("what comes in after the end is left out", async () => {
  const journal = open();
  journal.close();
  journal.record({ op: "arrive", phase: "ok" });
  journal.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written()).toEqual([]);
});

test.runIf(existsSync("/dev/full"))("a full disk is told once, with the path, and throws nothing", () => {
  const failures: unknown[] = [];
  const journal = openJournal({
    ...{ file: "/dev/full", startedAtMonotonicNs: "0", round: 1, arm: "set-nx", worker: 0 },
    onFailure: (error) => failures.push(error),
  });
  for (let entry = 0; entry < 2; entry += 1) {
    journal.record({ op: "look", phase: "invoke" });
    journal.flush();
  }
  journal.close();
  expect(failures).toEqual([expect.objectContaining({ exitCode: 69, message: expect.stringContaining("/dev/full") })]);
});
