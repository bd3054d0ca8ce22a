import { describe, expect, test } from "vitest";
import type { CrdtAdapter, Replica } from "../../../../../harness/contracts/crdt-adapter.ts";
import { Generator } from "../../../../../harness/converge/plan/generate.ts";
import { POOLS } from "../../../../../harness/converge/plan/pool.ts";
import { possibleKinds } from "../../../../../harness/converge/run/possible-kinds.ts";
import { Runner } from "../../../../../harness/converge/run/runner.ts";
import { documentAdapter, type Mistake } from "../../../../fixtures/converge/document.ts";

/** Runs schedules until all of these oracles have spoken, or the budget is spent. */
function search(adapter: CrdtAdapter, schedules: number, until: readonly string[] = ["never"]) {
  const runner = new Runner(adapter, { regions: 3, maxEvents: 60 });
  const kinds = possibleKinds(runner.world);
  const generator = new Generator({ seed: 1, minEvents: 20, maxEvents: 60, pools: POOLS, kinds });
  const found = new Map<string, { index: number; expected: string; actual: string }>();
  for (let index = 0; index < schedules && !until.every((oracle) => found.has(oracle)); index++) {
    const failure = runner.run(generator.generate(index), index % 2 === 0);
    if (failure !== undefined && !found.has(failure.oracle)) found.set(failure.oracle, { index, ...failure });
  }
  return { found, runner };
}

describe("a correct document", () => {
  const { found, runner } = search(documentAdapter(), 600);

  test("raises no alarm", () => {
    expect(Object.fromEntries(found)).toEqual({});
  });

  test("meets every kind of event it can", () => {
    const { coverage } = runner.world;
    const idle = Object.entries(coverage.histogram()).filter(([kind, count]) => count === 0 && kind !== "collect");
    expect(idle).toEqual([]);
    expect(coverage.schedules).toBe(600);
    expect(coverage.deepSchedules).toBe(300);
  });

  test("meets what a campaign should have met", () => {
    const counts = runner.world.coverage.sometimesCounts();
    const never = Object.keys(counts).filter((what) => counts[what] === 0);
    expect(never).toEqual([
      "a message arrived before its causes",
      "a restart lost operations that waited for their causes",
      "a message was refused for another reason",
      "a local operation was refused",
      "a collection ran during a partition",
      "a collection dropped tombstones",
    ]);
  });
});

describe("a mistake is found by the oracle that belongs to it", () => {
  const expected: Readonly<Record<Exclude<Mistake, "hangs">, readonly string[]>> = {
    "tie-keeps-local": ["NOT-COMMUTATIVE", "DIVERGED"],
    "wall-clock": ["HLC-REGRESSED"],
    "merge-by-sum": ["DOUBLE-COUNT", "NOT-IDEMPOTENT"],
    "remote-slot-wins": ["LOST-UPDATE", "NOT-COMMUTATIVE"],
    "no-tombstone": ["RESURRECTED"],
    "removes-own-only": ["RESURRECTED"],
    "clock-not-saved": ["HLC-REGRESSED"],
    "drift-after-move": ["REJECT-MUTATED"],
    "shared-snapshot": ["INPUT-MUTATED"],
    "receive-ignores-wall": ["HLC-RECEIVE"],
    "drops-one-sided": ["LOST-UPDATE"],
    throws: ["CRASH"],
  };
  test.each(Object.entries(expected))("%s: %s", (mistake, oracles) => {
    const { found } = search(documentAdapter(mistake as Mistake), 2_000, oracles);
    expect([...found.keys()]).toEqual(expect.arrayContaining([...oracles]));
  });
});

test("the same schedule gives the same failure, and one run leaves nothing behind for the next", () => {
  const adapter = documentAdapter("no-tombstone");
  const options = { seed: 3, minEvents: 60, maxEvents: 60, pools: POOLS };
  const fresh = (index: number) => {
    const runner = new Runner(adapter, { regions: 3, maxEvents: 60 });
    return runner.run(new Generator({ ...options, kinds: possibleKinds(runner.world) }).generate(index), true);
  };
  const used = new Runner(adapter, { regions: 3, maxEvents: 60 });
  const generator = new Generator({ ...options, kinds: possibleKinds(used.world) });
  const failures = Array.from({ length: 60 }, (_, index) => used.run(generator.generate(index), true));
  expect(failures.some((failure) => failure !== undefined)).toBe(true);
  expect(Array.from({ length: 60 }, (_, index) => fresh(index))).toEqual(failures);
});

test("a register that shows 0 for -0, in every replica alike, has lost a write", () => {
  const adapter: CrdtAdapter = documentAdapter();
  const withoutSign = (replica: Replica): Replica => {
    const value = replica.value.bind(replica);
    return Object.assign(replica, { value: () => unsigned(value()) });
  };
  const { found } = search(
    {
      ...adapter,
      create: (context) => withoutSign(adapter.create(context)),
      load: (saved, context, lost) => withoutSign(adapter.load(saved, context, lost)),
    },
    2_000,
    ["LOST-UPDATE"],
  );
  expect([...found.keys()]).toContain("LOST-UPDATE");
  expect(found.get("LOST-UPDATE")?.expected).toContain("-0");
});

/** A copy with 0 for every -0. */
function unsigned(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(unsigned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unsigned(item)]));
}
