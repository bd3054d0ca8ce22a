import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shrink } from "../../../../../harness/converge/counterexample/shrink.ts";
import { HEADER, KIND, STRIDE } from "../../../../../harness/converge/plan/event.ts";

const schedule = (events: readonly (readonly number[])[], header = [7, 8, 9, 10]) =>
  Int32Array.from([...header, ...events.flat()]);
const events = (of: Int32Array) =>
  Array.from({ length: (of.length - HEADER) / STRIDE }, (_, at) =>
    Array.from(of.subarray(HEADER + at * STRIDE, HEADER + (at + 1) * STRIDE)),
  );

const event = fc.tuple(fc.nat(11), fc.nat(255), fc.nat(255), fc.nat(255));

const shrunkOf = (...given: Parameters<typeof shrink>) => shrink(...given).schedule;

describe("shrink", () => {
  test("keeps only the events that matter, with the smallest arguments and header that do", () => {
    const noise = Array.from({ length: 60 }, (_, at) => [KIND.clock, at, at, at]);
    const important = [KIND.restart, 5, 200, 3];
    const failing = schedule([...noise.slice(0, 30), important, ...noise.slice(30)]);
    const shrunk = shrunkOf(failing, 3, (candidate) => events(candidate).some(([kind]) => kind === KIND.restart));
    expect(Array.from(shrunk)).toEqual([0, 0, 0, 0, KIND.restart, 0, 0, 0]);
  });

  test("leaves out two events that only go together", () => {
    const failing = schedule([
      [KIND.cut, 0, 0, 0],
      [KIND.operation, 0, 0, 0],
      [KIND.heal, 0, 0, 0],
    ]);
    const count = (of: Int32Array, kind: number) => events(of).filter(([own]) => own === kind).length;
    const shrunk = shrunkOf(
      failing,
      3,
      (of) => count(of, KIND.operation) > 0 && count(of, KIND.cut) === count(of, KIND.heal),
    );
    expect(events(shrunk)).toEqual([[KIND.operation, 0, 0, 0]]);
  });

  test("starts in the first region where the failure only needs the same region twice", () => {
    const failing = schedule([
      [KIND.operation, 2, 0, 0],
      [KIND.restart, 2, 0, 0],
    ]);
    const shrunk = shrunkOf(failing, 3, (of) => {
      const [first, second] = events(of);
      return first !== undefined && second !== undefined && first[1]! % 3 === second[1]! % 3;
    });
    expect(events(shrunk).map(([, region]) => region)).toEqual([0, 0]);
  });

  test("gives a schedule that still fails, to which nothing smaller is, and the same one every time", () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 30 }), fc.nat(11), fc.nat(30), (list, kind, least) => {
        const fails = (of: Int32Array) => events(of).some(([own, a]) => own === kind && a! >= least % 7);
        const failing = schedule(list);
        fc.pre(fails(failing));
        const shrunk = shrunkOf(failing, 3, fails);
        expect(fails(shrunk)).toBe(true);
        expect(events(shrunk)).toEqual([[kind, least % 7, 0, 0]]);
        expect(Array.from(shrunkOf(failing, 3, fails))).toEqual(Array.from(shrunk));
      }),
    );
  });

  test("ends early with what it has, and says so", () => {
    const noise = Array.from({ length: 60 }, (_, at) => [KIND.clock, at, at, at]);
    const failing = schedule([...noise, [KIND.restart, 5, 200, 3]]);
    const fails = (candidate: Int32Array) => events(candidate).some(([kind]) => kind === KIND.restart);
    let asked = 0;
    const early = shrink(failing, 3, fails, () => ++asked > 3);
    expect(early.wasCutShort).toBe(true);
    expect(fails(early.schedule)).toBe(true);
    expect(early.schedule.length).toBeLessThan(failing.length);
    expect(early.schedule.length).toBeGreaterThan(HEADER + STRIDE);
    expect(shrink(failing, 3, fails).wasCutShort).toBe(false);
  });
});
