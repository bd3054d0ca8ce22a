import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { ConvergeOptions, ConvergeProgress } from "../../../../harness/converge/converge-options.ts";
import { runConverge } from "../../../../harness/converge/run-converge.ts";
import { convergeCrdtSchema } from "../../../../harness/results/converge-schema.ts";
import type { Mistake } from "../../../fixtures/converge/document.ts";

const path = fileURLToPath(new URL("../../../fixtures/converge/mistaken-document.ts", import.meta.url));
const ref = (mistake?: Mistake) => ({
  name: mistake ?? "correct",
  path,
  argument: "./mistaken-document.ts",
  options: mistake === undefined ? {} : { mistake },
});
const run = (options: Partial<ConvergeOptions> & Pick<ConvergeOptions, "crdts">) =>
  runConverge({ seed: 7, threads: 0, ...options });

describe("a campaign", () => {
  test("of a correct type passes, and says what it met", async () => {
    const { status, crdts, files } = await run({ crdts: [ref()], schedules: 200 });
    expect(status).toBe("passed");
    expect(crdts[0]).toMatchObject({
      name: "correct",
      schedules: 200,
      failures: [],
      failed: {},
      regionIds: ["fra", "cai", "iad"],
    });
    expect(convergeCrdtSchema.parse(crdts[0])).toEqual(crdts[0]);
    expect(files).toEqual({});
  });

  test("of a mistaken type fails with shrunk counterexamples, replay commands and files", async () => {
    const { status, statusReason, crdts, files } = await run({ crdts: [ref("clock-not-saved")], schedules: 100 });
    expect(status).toBe("failed");
    expect(statusReason).toMatch(/^clock-not-saved: .*HLC-REGRESSED/);
    const failure = crdts[0]!.failures.find(({ oracle }) => oracle === "HLC-REGRESSED")!;
    expect(failure.eventsAfter).toBe(2);
    expect(failure.replay).toBe(
      `npx harness converge --crdt ./mistaken-document.ts --crdt-args '{"mistake":"clock-not-saved"}' --regions 3 --seed 7 --index ${failure.index}`,
    );
    expect(Object.keys(files)).toContain(failure.file);
    expect(crdts[0]!.failures.filter(({ oracle }) => oracle === "HLC-REGRESSED")).toHaveLength(10);
    expect(crdts[0]!.failed["HLC-REGRESSED"]).toBeGreaterThan(10);
  });

  test("with the same seed gives the same bytes, and by its index one failure gives the same again", async () => {
    const [one, other] = [
      await run({ crdts: [ref("no-tombstone")], schedules: 150 }),
      await run({ crdts: [ref("no-tombstone")], schedules: 150 }),
    ];
    expect(one.crdts[0]!.failures.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.crdts[0]!.failures)).toBe(JSON.stringify(one.crdts[0]!.failures));
    expect(other.files).toEqual(one.files);
    const last = one.crdts[0]!.failures.at(-1)!;
    const single = await run({ crdts: [ref("no-tombstone")], index: last.index });
    expect(single.crdts[0]!.failures).toEqual([last]);
  });

  test("split into shards finds what the whole finds", async () => {
    const whole = await run({ crdts: [ref("merge-by-sum")], schedules: 60 });
    const shards = [];
    for (const index of [0, 1, 2])
      shards.push(await run({ crdts: [ref("merge-by-sum")], schedules: 60, shard: { index, count: 3 } }));
    const failures = shards.flatMap(({ crdts }) => crdts[0]!.failures).sort((a, b) => a.index - b.index);
    const counts: Record<string, number> = {};
    for (const failure of failures) counts[failure.oracle] = (counts[failure.oracle] ?? 0) + 1;
    const first = failures.filter(
      ({ oracle, index }) => failures.filter((other) => other.oracle === oracle && other.index <= index).length <= 10,
    );
    expect(first).toEqual(whole.crdts[0]!.failures);
    expect(shards.reduce((sum, { crdts }) => sum + crdts[0]!.schedules, 0)).toBe(60);
  });

  test("ends by time too, and tells nothing ran when nothing did", async () => {
    const { status, crdts } = await run({ crdts: [ref()], timeMs: 30 });
    expect(status).toBe("passed");
    expect(crdts[0]!.schedules).toBeGreaterThan(0);
    const aborted = await run({ crdts: [ref()], timeMs: 1_000, signal: AbortSignal.abort() });
    expect(aborted.status).toBe("interrupted");
  });

  test("with --oracles all asks everything of every schedule", async () => {
    const { status, crdts } = await run({ crdts: [ref()], schedules: 20, oracles: "all" });
    expect(status).toBe("passed");
    expect(crdts[0]!.schedules).toBe(20);
  });

  test("reports its progress", async () => {
    const seen: number[] = [];
    await run({ crdts: [ref()], schedules: 40, onProgress: ({ schedules }) => void seen.push(schedules) });
    expect(seen.at(-1)).toBe(40);
  });
});

describe("options that make no sense are refused before anything starts", () => {
  test.each<[string, Partial<ConvergeOptions>, RegExp]>([
    ["one region", { regions: 1 }, /regions is 1.*2 to 9.*nobody to converge with/],
    ["ten regions", { regions: 10 }, /regions is 10/],
    ["half a schedule", { schedules: 0.5 }, /schedules is 0.5/],
    ["no time", { timeMs: 0 }, /time is 0 ms/],
    ["a shard beyond the last", { shard: { index: 3, count: 3 } }, /shard is 4\/3/],
    ["no CRDT", { crdts: [] }, /no CRDT to run/],
    ["no depth", { exhaustive: { depth: 0 } }, /depth is 0/],
  ])("%s", async (_, options, message) => {
    await expect(run({ crdts: [ref()], ...options })).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringMatching(message),
    });
  });

  test("a search that would take years, with the number of schedules", async () => {
    const endless = run({ crdts: [ref()], exhaustive: { depth: 12 } });
    await expect(endless).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringMatching(/about \d\.\de\+1\d schedules.*years/),
    });
  });
});

test("an exhaustive search says what it covered", async () => {
  const { status, crdts } = await run({ crdts: [ref()], exhaustive: { depth: 2 } });
  expect(status).toBe("passed");
  expect(crdts[0]!.exhaustive).toMatchObject({ depth: 2, exhausted: true, symmetry: true });
  expect(crdts[0]!.exhaustive!.notes.join()).toContain("depends on the order of ids is not covered");
});

test("an exhaustive search that finds something replays by its file", async () => {
  const { status, crdts, files } = await run({ crdts: [ref("clock-not-saved")], exhaustive: { depth: 2 } });
  expect(status).toBe("failed");
  const [failure] = crdts[0]!.failures;
  expect(failure).toMatchObject({
    oracle: "HLC-REGRESSED",
    eventsAfter: 2,
    replay: `npx harness replay ${failure!.file}`,
  });
  expect(Object.keys(files)).toContain(failure!.file);
});

describe("an exhaustive search that is too large", () => {
  // Far beyond what could be searched: without a limit it would be refused.
  const large = { crdts: [ref()], exhaustive: { depth: 12 } };

  test("ends at its limit of time, and says how far it came", async () => {
    const progress: ConvergeProgress[] = [];
    const { status, statusReason, crdts } = await run({
      ...large,
      timeMs: 700,
      onProgress: (one) => void progress.push(one),
    });
    expect(status).toBe("unknown");
    expect(statusReason).toMatch(
      /^The search of correct to depth 12 did not come to its end: [\d,]+ schedules of about \d\.\de\+1\d \(less than 0\.1 %\) ran, and the others are not covered\. Nothing failed until then\.$/,
    );
    const { exhaustive, schedules } = crdts[0]!;
    expect(exhaustive).toMatchObject({ exhausted: false, schedules, estimatedSchedules: expect.any(Number) });
    expect(exhaustive!.notes[0]).toMatch(/^0 of 48 parts/);
    expect(convergeCrdtSchema.parse(crdts[0])).toEqual(crdts[0]);
    // No part came to its end, and yet there was progress.
    expect(new Set(progress.map(({ schedules }) => schedules)).size).toBeGreaterThan(1);
  });

  test("ends when the signal comes", async () => {
    const controller = new AbortController();
    const { status, statusReason } = await run({
      ...large,
      timeMs: 3_600_000,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(status).toBe("interrupted");
    expect(statusReason).toMatch(/^Interrupted after \d+ schedules, none of which failed\. The search of correct/);
  });

  test("tells what failed until then", async () => {
    const mistaken = { ...large, crdts: [ref("clock-not-saved")] };
    const { status, statusReason, crdts } = await run({ ...mistaken, timeMs: 500 });
    expect(status).toBe("failed");
    expect(statusReason).toContain("did not come to its end");
    expect(crdts[0]!.failures.length).toBeGreaterThan(0);
  });
});

describe("a campaign with two limits", () => {
  test("that ran fewer schedules than were asked for says so, passed or failed", async () => {
    const passed = await run({ crdts: [ref()], schedules: 1_000_000, timeMs: 30 });
    expect(passed.status).toBe("passed");
    expect(passed.statusReason).toMatch(/Of the 1,000,000 schedules of correct that were asked for, [\d,]+ ran\.$/);
    expect(passed.crdts[0]).toMatchObject({ schedulesAsked: 1_000_000 });
    const failed = await run({ crdts: [ref("merge-by-sum")], schedules: 1_000_000, timeMs: 30 });
    expect(failed.statusReason).toMatch(/^merge-by-sum: .* that were asked for/);
    expect((await run({ crdts: [ref()], schedules: 20 })).statusReason).not.toContain("asked for");
  });
});

test("without a limit of time every counterexample is shrunk to its end", async () => {
  const { crdts, warnings } = await run({ crdts: [ref("no-tombstone")], schedules: 150 });
  expect(crdts[0]!.failures.length).toBeGreaterThan(0);
  expect(crdts[0]!.failures.some(({ shrinkingCutShort }) => shrinkingCutShort)).toBe(false);
  expect(warnings).toEqual([]);
});

test("in the caller's own thread a signal is heard between two chunks", async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  const { status } = await run({ crdts: [ref()], timeMs: 3_600_000, signal: controller.signal });
  expect(status).toBe("interrupted");
});

describe("a type of which a Promise came back", () => {
  const asyncPath = fileURLToPath(new URL("../../../fixtures/converge/async-counter.mjs", import.meta.url));
  const needed = ["apply", "export", "receive", "value", "save", "create", "load"];
  const optional = ["state", "fork", "version", "collect", "tombstones", "rights", "forward"];
  const ofAdapter = ["codec.encode", "codec.decode"];
  test.each([...needed, ...optional, ...ofAdapter])("from %s() is told so", async (where) => {
    const crdts = [{ name: "mine", path: asyncPath, options: { where } }];
    await expect(run({ crdts, schedules: 100 })).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringMatching(
        new RegExp(`^async-counter: a Promise came back from ${where}\\(\\)\\. .* synchronous: `),
      ),
    });
  });

  test("from nowhere runs", async () => {
    expect(await run({ crdts: [{ name: "mine", path: asyncPath }], schedules: 50 })).toMatchObject({
      status: "passed",
    });
  });
});
