import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { HistoryEvent, HistoryHeader } from "../../../../harness/contracts/history.ts";
import { OPERATIONS, PHASES } from "../../../../harness/history/event-schema.ts";
import { decodeHistory, encodeHistory } from "../../../../harness/history/export/binary.ts";
import { csv } from "../../../../harness/history/export/csv.ts";
import { jepsen } from "../../../../harness/history/export/jepsen.ts";
import { json } from "../../../../harness/history/export/json.ts";
import { readStoredHistory } from "../../../../harness/history/stored.ts";
import { syntheticHistory, syntheticPlan } from "../../../bench/synthetic-history.ts";

const header: HistoryHeader = {
  schema: "harness.history/1",
  runId: "lock-1",
  startedAt: "2026-01-31T12:00:05.000Z",
  startedAtMonotonicNs: "123456789012345678901",
};
const base = { round: 1, arm: "set-nx", worker: 1, incarnation: 1 };
const events: HistoryEvent[] = [
  { ...base, atNs: 5, op: "acquire", phase: "invoke", execution: "j1/1@1.1", key: 'k "1"', job: "j1" },
  {
    ...base,
    atNs: 9,
    op: "acquire",
    phase: "ok",
    execution: "j1/1@1.1",
    key: 'k "1"',
    token: "t,1",
    outcome: "granted",
  },
  { ...base, atNs: 7, op: "lost", phase: "info", error: "=1+1\nnext", detail: { a: [1, "ü"] } },
];

test("CSV quotes what it must, and lets no text become a formula", () => {
  const rows = String(csv.write({ header, events })).split("\r\n");
  expect(rows[0]).toMatch(/^atNs,round,arm,worker,/);
  expect(rows[2]).toContain('"k ""1""",,"t,1"');
  expect(csv.write({ header, events })).toContain(`"'=1+1\nnext","{""a"":[1,""ü""]}"`);
});

test("JSON is one document", () => {
  expect(JSON.parse(String(json.write({ header, events })))).toEqual({ header, events });
});

test("Jepsen's EDN has the operations on locks, each execution a process", () => {
  const other = { ...events[0]!, execution: "j2/1@2.1", worker: 2 };
  const lines = String(jepsen.write({ header, events: [...events, other] })).split("\n");
  expect(lines[1]).toBe(
    '{:index 1, :time 9, :process 0, :type :ok, :f :acquire, :value ["k \\"1\\"" "t,1"], :outcome "granted", :worker 1, :round 1, :arm "set-nx"}',
  );
  expect(lines[2]).toMatch(/^\{:index 2, :time 5, :process 1, :type :invoke, :f :acquire, :value \["k \\"1\\"" nil\]/);
});

const anyEvent = fc.record(
  {
    atNs: fc.maxSafeInteger(),
    round: fc.maxSafeInteger(),
    arm: fc.string({ unit: "binary" }),
    op: fc.constantFrom(...OPERATIONS),
    phase: fc.constantFrom(...PHASES),
    worker: fc.nat(),
    incarnation: fc.nat(),
    wallMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
    key: fc.string(),
    // A number of a foreign library may be no whole one.
    fencingToken: fc.oneof(fc.nat(), fc.constant(0.5)),
    error: fc.string(),
    detail: fc.dictionary(
      fc.string().filter((name) => name !== "__proto__"),
      fc.oneof(fc.string(), fc.integer()),
    ),
    later: fc.boolean(),
  },
  { requiredKeys: ["atNs", "round", "arm", "op", "phase", "worker"] },
);

test("binary comes back as it went in", () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (some) => {
      const history = { header, events: some.map((event) => JSON.parse(JSON.stringify(event)) as HistoryEvent) };
      expect(decodeHistory(encodeHistory(history), "it")).toEqual(history);
    }),
  );
});

test("binary is small", () => {
  const many = [...syntheticHistory(20_000, syntheticPlan())].flat();
  const text = many.map((event) => `${JSON.stringify(event)}\n`).join("");
  expect(encodeHistory({ header, events: many }).length).toBeLessThan(text.length / 8);
});

test("what is no history is refused, cut or altered", () => {
  const bytes = encodeHistory({ header, events });
  expect(() => decodeHistory(bytes.subarray(0, bytes.length - 9), "cut.hfb")).toThrow(/cut.hfb is no history/);
  expect(() => decodeHistory(Buffer.from("{}"), "x")).toThrow("does not begin with HFB1");
});

test("a run folder without its history is read from the binary", async () => {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "history.hfb"), encodeHistory({ header, events }));
  const stored = await readStoredHistory(folder);
  expect(stored).toMatchObject({ header, merged: true, events: 3 });
  expect(stored.armRounds[0]!.events.map(({ atNs }) => atNs)).toEqual([5, 7, 9]);
});
