import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HistoryEvent } from "../../../../../harness/contracts/history.ts";
import type { AcquireOutcome, Lock } from "../../../../../harness/contracts/lock-adapter.ts";
import { openJournal } from "../../../../../harness/lock/journal.ts";
import type { WorkerAssignment } from "../../../../../harness/lock/messages.ts";
import { runSaturation } from "../../../../../harness/lock/worker/saturation.ts";
import type { Station } from "../../../../../harness/lock/worker/station.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-saturation-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs four cycles in two lanes and gives what is in the journal then. */
async function entriesOf(
  { holdMs, acquire }: { holdMs?: number; acquire?: () => AcquireOutcome } = {},
  token = 'a "quoted" token',
): Promise<HistoryEvent[]> {
  const file = join(folder, "journal.ndjson");
  const who = { round: 1, arm: "lock", worker: 2, incarnation: 1 };
  const journal = openJournal({ file, startedAtMonotonicNs: String(process.hrtime.bigint()), ...who });
  const lock: Pick<Lock, "acquire" | "release"> = {
    acquire: async () => acquire?.() ?? { outcome: "granted", token },
    release: async () => ({ outcome: "released" }),
  };
  let end = async () => {};
  const lockRef = { name: "my-lock", path: "/my-lock.ts", options: {} };
  const assignment = { worker: 2, incarnation: 1, ttlMs: 1_000, lock: lockRef } as WorkerAssignment;
  const station = { lock, journal, assignment, beforeClose: (how: () => Promise<void>) => (end = how) };
  runSaturation(station as unknown as Station, { inFlight: 2, cycles: 4, ...(holdMs ? { holdMs } : {}) });
  // Nothing ends it but the number of its cycles.
  await new Promise((resolve) => setTimeout(resolve, 30));
  await end();
  journal.close();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as HistoryEvent);
}

const steps = (events: readonly HistoryEvent[], key: string) =>
  events.filter((event) => event.key === key).map(({ op, phase, outcome }) => [op, phase, outcome ?? ""].join(" "));

test("a cycle of the benchmark: a grant that says how long it took, the call of the release, its end", async () => {
  const events = await entriesOf();
  const keys = [...new Set(events.map(({ key }) => key!))];
  expect(keys).toHaveLength(4);
  for (const key of keys) {
    expect(steps(events, key)).toEqual(["acquire ok granted", "release invoke ", "release ok released"]);
  }
  for (const { token } of events) expect(token).toBe('a "quoted" token');
  for (const { op, detail } of events) {
    if (op === "acquire") expect(detail?.tookNs).toBeGreaterThanOrEqual(0);
  }
});

test("where locks are held for a while, the call of the acquire is an entry of its own", async () => {
  const events = await entriesOf({ holdMs: 2 });
  for (const key of new Set(events.map(({ key }) => key!))) {
    expect(steps(events, key)).toEqual([
      "acquire invoke ",
      "acquire ok granted",
      "release invoke ",
      "release ok released",
    ]);
  }
});

test("what was not granted is written down and not released", async () => {
  const refused = await entriesOf({ acquire: () => ({ outcome: "refused" }) });
  expect(refused.map(({ op, phase }) => `${op} ${phase}`)).toEqual(new Array(4).fill("acquire fail"));
  const unknown = await entriesOf({ acquire: () => ({ outcome: "indeterminate", error: new Error("timeout") }) });
  expect(unknown.slice(4).map(({ op, phase }) => `${op} ${phase}`)).toEqual(new Array(4).fill("acquire info"));
});
