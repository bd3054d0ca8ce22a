import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { align, boundOver, MOST_DRIFT, quickest, type RoundTrip } from "../../../../harness/measure/clock-alignment.ts";

/** A clock that runs a little wrong, from a zero of its own. Times in ns of the true time. */
interface Clock {
  zeroNs: number;
  drift: number;
}
const read = ({ zeroNs, drift }: Clock, trueNs: number) => zeroNs + trueNs * (1 + drift);

const EVERY_NS = 200e6;

/** Round trips of one side: what the server says lies anywhere between the question and the answer. */
function tripsOf(
  clock: Clock,
  {
    count,
    delays,
    step,
    firstNs = 0,
  }: { count: number; delays: readonly [number, number][]; step: Step; firstNs?: number },
): RoundTrip[] {
  return Array.from({ length: count }, (_, index) => {
    const askedNs = firstNs + index * EVERY_NS;
    const [there, back] = delays[index % delays.length]!;
    const atServer = askedNs + there;
    const serverNs = Math.floor((atServer + (atServer >= step.atNs ? step.byNs : 0)) / 1_000) * 1_000;
    return { sentNs: read(clock, askedNs), serverNs, receivedNs: read(clock, askedNs + there + back) };
  });
}

/** A step of the server's own clock. */
interface Step {
  atNs: number;
  byNs: number;
}
const NEVER: Step = { atNs: Number.POSITIVE_INFINITY, byNs: 0 };

const clocks = fc.record({
  zeroNs: fc.integer({ min: -1e14, max: 1e14 }),
  drift: fc.double({ min: -MOST_DRIFT / 2.1, max: MOST_DRIFT / 2.1, noNaN: true }),
});
const delays = fc.array(fc.tuple(fc.integer({ min: 1_000, max: 5e6 }), fc.integer({ min: 1_000, max: 5e6 })), {
  minLength: 1,
  maxLength: 20,
});
const steps = fc.oneof(
  fc.constant(NEVER),
  fc.record({ atNs: fc.integer({ min: 3e9, max: 9e9 }), byNs: fc.integer({ min: -2e9, max: 2e9 }) }),
);

describe("two clocks that ask one server", () => {
  test("are never further apart than the bound says, whatever way the time went and however they drift", () => {
    fc.assert(
      fc.property(clocks, clocks, delays, delays, steps, (own, other, ownDelays, otherDelays, step) => {
        const count = 50;
        const mine = tripsOf(own, { count, delays: ownDelays, step, firstNs: 37e6 });
        const theirs = tripsOf(other, { count, delays: otherDelays, step });
        const begin = 10;
        const alignment = align(theirs.slice(0, begin), mine.slice(0, begin))!;
        const [fromNs, toNs] = [begin * EVERY_NS, (count - 2) * EVERY_NS];
        const boundNs = boundOver(theirs, mine, alignment, { fromNs: read(own, fromNs), toNs: read(own, toNs) });
        for (let trueNs = fromNs; trueNs <= toNs; trueNs += 50e6) {
          const laid = read(other, trueNs) + alignment.offsetNs;
          // Two ns: what doubles lose at 1e14.
          expect(Math.abs(laid - read(own, trueNs))).toBeLessThanOrEqual(boundNs + 2);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("have a bound of half the quickest round trips, as long as neither drifts", () => {
    const [own, other] = [
      { zeroNs: 0, drift: 0 },
      { zeroNs: 5e12, drift: 0 },
    ];
    const mine = tripsOf(own, { count: 5, delays: [[20_000, 20_000]], step: NEVER });
    const theirs = tripsOf(other, {
      count: 5,
      delays: [
        [2e6, 2e6],
        [100_000, 300_000],
      ],
      step: NEVER,
    });
    const { offsetNs, boundNs } = align(theirs, mine)!;
    expect(Math.abs(offsetNs + 5e12)).toBeLessThanOrEqual(boundNs);
    expect(boundNs).toBeLessThan(230_000 + 500_000);
  });

  test("are not aligned before both have asked", () => {
    const trip = { sentNs: 0, serverNs: 1, receivedNs: 2 };
    expect(align([], [trip])).toBeUndefined();
    expect(align([trip], [])).toBeUndefined();
  });

  test("without a word for a while may have drifted apart all that time", () => {
    const trips = tripsOf({ zeroNs: 0, drift: 0 }, { count: 5, delays: [[1_000, 1_000]], step: NEVER });
    const alignment = align(trips, trips)!;
    const bound = (toNs: number) => boundOver(trips, trips, alignment, { fromNs: 0, toNs });
    expect(bound(100e9) - bound(1e9)).toBeGreaterThan(95e9 * MOST_DRIFT);
  });
});

test("the quickest of a burst counts", () => {
  const trip = (sentNs: number, receivedNs: number) => ({ sentNs, receivedNs, serverNs: 0 });
  expect(quickest([trip(0, 9), trip(10, 12), trip(20, 25)])).toEqual(trip(10, 12));
  expect(quickest([])).toBeUndefined();
});
