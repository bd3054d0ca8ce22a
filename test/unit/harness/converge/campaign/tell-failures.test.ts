import { describe, expect, test } from "vitest";
import { absoluteNowMs } from "../../../../../harness/converge/campaign/absolute-now.ts";
import { Crew, type Member } from "../../../../../harness/converge/campaign/crew.ts";
import { shrinkTimeMs } from "../../../../../harness/converge/campaign/shrink-time.ts";
import { type FoundFailure, tellInTime } from "../../../../../harness/converge/campaign/tell-failures.ts";
import type { Counterexample } from "../../../../../harness/converge/counterexample/counterexample.ts";

const told = (oracle: string, eventsAfter: number): Counterexample => ({
  ...{ oracle, eventsBefore: 60, eventsAfter, steps: [], failedAt: 0, region: 0 },
  ...{ expected: "", actual: "", schedule: [0, 0, 0, 0], deep: false },
});

interface Call {
  what: "shrink" | "as found";
  index: number;
  untilMs?: number | undefined;
}

/** Failures that note how they are told. */
function failures(list: readonly (readonly [string, number])[], calls: Call[], onShrink = () => {}): FoundFailure[] {
  return list.map(([oracle, index]) => ({
    ...{ oracle, index },
    async shrink(_member: Member, untilMs: number | undefined) {
      calls.push({ what: "shrink", index, untilMs });
      onShrink();
      return told(oracle, 3);
    },
    async asFound() {
      calls.push({ what: "as found", index });
      return told(oracle, 60);
    },
  }));
}

async function crew(): Promise<Crew> {
  const hired = new Crew(
    async () => ({ ask: async () => expect.unreachable(), stop: () => {}, close: async () => {} }),
    async () => {},
  );
  await hired.hire(1);
  return hired;
}

const some = [
  ["A", 1],
  ["A", 2],
  ["B", 9],
  ["A", 3],
  ["B", 12],
] as const;

describe("failures are told", () => {
  test("without a limit of time: each is shrunk as far as it goes, the first of each oracle first", async () => {
    const calls: Call[] = [];
    const result = await tellInTime(await crew(), failures(some, calls));
    expect(calls.map(({ what, index, untilMs }) => [what, index, untilMs])).toEqual(
      [1, 9, 2, 12, 3].map((index) => ["shrink", index, undefined]),
    );
    expect(result.map(({ index }) => index)).toEqual([1, 2, 3, 9, 12]);
    expect(result.every(({ counterexample }) => counterexample.shrinkingCutShort === undefined)).toBe(true);
  });

  test("one that passes or fails otherwise when it runs again: it is said, whether it could be shrunk or not", async () => {
    const drifting = (oracle: string, shrunk: Counterexample | undefined): FoundFailure => ({
      ...{ oracle, index: 1 },
      shrink: async () => shrunk,
      asFound: async () => told("", 60),
    });
    for (const shrunk of [told("", 49), undefined]) {
      const [one] = await tellInTime(await crew(), [drifting("A", shrunk)]);
      expect(one?.counterexample).toMatchObject({
        oracle: "A",
        expected: "the same schedule fails by A again, as it did",
        actual: expect.stringContaining("it passed: the adapter does not repeat itself"),
      });
    }
    const [other] = await tellInTime(await crew(), [drifting("A", told("B", 3))]);
    expect(other?.counterexample.actual).toContain("it failed by B");
  });

  test("with time left: each has no more than its share of it", async () => {
    const calls: Call[] = [];
    const untilMs = absoluteNowMs() + 60_000;
    await tellInTime(await crew(), failures(some, calls), { untilMs });
    expect(calls.every((call) => call.what === "shrink" && call.untilMs! <= untilMs)).toBe(true);
    // Of two oracles, the first has half.
    expect(untilMs - calls[0]!.untilMs!).toBeGreaterThan(29_000);
  });

  test("when there is no time left: as they were found, which is said; of each oracle the first whatever happens", async () => {
    const calls: Call[] = [];
    const result = await tellInTime(await crew(), failures(some, calls), { untilMs: absoluteNowMs() - 60_000 });
    expect(calls).toEqual([
      { what: "as found", index: 1 },
      { what: "as found", index: 9 },
    ]);
    expect(result.map(({ counterexample }) => counterexample.shrinkingCutShort)).toEqual([true, true]);
  });

  test("after a signal: only the first of each oracle is shrunk, within a second", async () => {
    const calls: Call[] = [];
    await tellInTime(await crew(), failures(some, calls), { signal: AbortSignal.abort() });
    expect(calls.filter(({ what }) => what === "shrink").map(({ index }) => index)).toEqual([1, 9]);
    expect(calls[0]!.untilMs! - absoluteNowMs()).toBeLessThanOrEqual(1_000);
  });

  test("a signal meanwhile ends shrinking at once", async () => {
    const calls: Call[] = [];
    const controller = new AbortController();
    const list = failures(some, calls, () => controller.abort());
    await tellInTime(await crew(), list, { signal: controller.signal });
    expect(calls.filter(({ what }) => what === "shrink")).toHaveLength(1);
    expect(calls.filter(({ what }) => what === "as found").map(({ index }) => index)).toContain(9);
  });
});

test("shrinking may take a quarter of the time of a run beyond it, within bounds", () => {
  expect([1_000, 6_000, 20_000, 600_000].map(shrinkTimeMs)).toEqual([2_000, 2_000, 5_000, 10_000]);
});
