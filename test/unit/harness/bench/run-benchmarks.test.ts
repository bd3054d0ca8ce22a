import { expect, test } from "vitest";
import { type MicroBenchmark, timeBatch } from "../../../../harness/bench/micro-benchmark.ts";
import { runBenchmarks } from "../../../../harness/bench/run-benchmarks.ts";
import { chooseBenchmarks } from "../../../../harness/cli/bench/registry.ts";

const named = (name: string, more: Partial<MicroBenchmark> = {}): MicroBenchmark => ({
  name,
  group: "clock",
  unit: "ns",
  summary: name,
  prepare: () => ({ run: () => timeBatch(10, () => Math.sqrt(2)) }),
  ...more,
});

test("benchmarks run in turns, and each is closed; a batch counts by its operations", async () => {
  const seen: string[] = [];
  const closed: string[] = [];
  const fixed = (name: string, tookMs: number, ratioTo?: string) =>
    named(name, {
      ...(ratioTo === undefined ? {} : { ratioTo }),
      prepare: () => ({
        run: () => ({ tookMs, operations: 1_000 }),
        warning: () => (name === "b" ? "b was slow" : undefined),
        close: async () => void closed.push(name),
      }),
    });
  const { benchmarks, warnings } = await runBenchmarks([fixed("a", 1), fixed("b", 2, "a")], {
    rounds: 2,
    timeMs: 5,
    signal: new AbortController().signal,
    onProgress: ({ name, round }) => seen.push(`${name}${round}`),
  });
  expect(seen).toEqual(["a1", "b1", "a2", "b2"]);
  expect(closed).toEqual(["b", "a"]);
  // 1 ms for 1,000 operations: 1,000 ns each.
  expect(benchmarks[0]).toMatchObject({ name: "a", unit: "ns", p50: 1_000, ratioTo: null, goal: null });
  expect(benchmarks[1]?.ratioTo).toEqual({ name: "a", ratio: 2 });
  expect(benchmarks[1]?.rounds).toHaveLength(2);
  expect(warnings).toEqual(["b was slow"]);
});

test("an abort keeps what was measured; an error is no figure", async () => {
  const controller = new AbortController();
  const options = { rounds: 3, timeMs: 5, signal: controller.signal };
  const { benchmarks } = await runBenchmarks([named("a"), named("b")], {
    ...options,
    onProgress: ({ name, round }) => (name === "b" && round === 2 ? controller.abort() : undefined),
  });
  expect(benchmarks.map(({ rounds }) => rounds.length)).toEqual([2, 1]);
  const broken = named("broken", {
    prepare: () => ({
      run() {
        throw new Error("no lock");
      },
    }),
  });
  const fresh = { ...options, signal: new AbortController().signal, onProgress: () => {} };
  await expect(runBenchmarks([broken], fresh)).rejects.toThrow("no lock");
});

test("names choose by their parts, with what they are set against", () => {
  const all = [
    named("lock/bare"),
    named("lock/set-nx", { ratioTo: "lock/bare" }),
    named("lock/of-npm", { ratioTo: "lock/bare", onlyByName: true }),
    named("crdt/document/apply"),
    named("crdt/document/receive"),
    named("crdt/yjs/apply", { onlyByName: true }),
  ];
  const names = (...wanted: string[]) => chooseBenchmarks(all, wanted).map(({ name }) => name);
  expect(names()).toEqual(["lock/bare", "lock/set-nx", "crdt/document/apply", "crdt/document/receive"]);
  expect(names("lock/of-npm")).toEqual(["lock/bare", "lock/of-npm"]);
  expect(names("crdt/document")).toEqual(["crdt/document/apply", "crdt/document/receive"]);
  expect(names("crdt/yjs")).toEqual(["crdt/yjs/apply"]);
  expect(names("crdt")).toEqual(["crdt/document/apply", "crdt/document/receive"]);
  expect(() => names("lock/setnx")).toThrow('There is no benchmark "lock/setnx". Did you mean "lock/set-nx"?');
});
