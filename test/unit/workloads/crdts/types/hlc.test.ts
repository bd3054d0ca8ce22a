import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driftMs, HybridLogicalClock, joinHlc, tickHlc } from "../../../../../workloads/crdts/types/hlc.ts";
import { compareTimestamps, formatTimestamp, type Timestamp } from "../../../../../workloads/crdts/types/timestamp.ts";

class WallClock {
  ms = 0;
  now(): number {
    return this.ms;
  }
}

const pair = ({ l, c }: Timestamp) => [l, c];

describe("the hybrid logical clock", () => {
  it("counts where the wall clock stands or steps back", () => {
    const wall = new WallClock();
    const clock = new HybridLogicalClock({ node: "fra", clock: wall });
    const stamps = [1000, 1000, 900, 2000].map((ms) => {
      wall.ms = ms;
      return pair(clock.now());
    });
    expect(stamps).toEqual([
      [1000, 0],
      [1000, 1],
      [1000, 2],
      [2000, 0],
    ]);
  });

  it("joins what it receives", () => {
    const wall = new WallClock();
    const frankfurt = new HybridLogicalClock({ node: "fra", clock: wall });
    wall.ms = 5000;
    const received = [
      { l: 9000, c: 4, node: "cai" },
      { l: 8000, c: 9, node: "cai" },
      { l: 9000, c: 3, node: "cai" },
    ].map((remote) => pair(frankfurt.receive(remote)));
    wall.ms = 20_000;
    received.push(pair(frankfurt.receive({ l: 9000, c: 9, node: "cai" })));
    expect(received).toEqual([
      [9000, 5],
      [9000, 6],
      [9000, 7],
      [20_000, 0],
    ]);
  });

  it("stamps after a message from ahead, under a wider guard", () => {
    const cairo = new HybridLogicalClock({ node: "cai", clock: { now: () => 100_000 }, maxDriftMs: 300_000 });
    cairo.receive({ l: 220_000, c: 0, node: "fra" });
    expect(formatTimestamp(cairo.now())).toBe("(220000,2,cai)");
  });

  it("refuses what is too far ahead, untouched, with an alert and a count", () => {
    const alerts: unknown[] = [];
    const clock = new HybridLogicalClock({
      node: "fra",
      clock: { now: () => 1000 },
      onDrift: (drift) => alerts.push(drift),
    });
    clock.now();
    const remote = { l: 61_001, c: 0, node: "cai" };
    expect(() => clock.receive(remote)).toThrow(expect.objectContaining({ code: "CLOCK_DRIFT", driftMs: 60_001 }));
    expect(clock.last).toEqual({ l: 1000, c: 0, node: "fra" });
    expect(clock.driftRefusals).toBe(1);
    expect(alerts).toEqual([{ remote, driftMs: 60_001 }]);
    expect(pair(clock.receive({ l: 61_000, c: 0, node: "cai" }))).toEqual([61_000, 1]);
  });

  it("does not count its own stepping back as drift of a remote that is behind", () => {
    expect(driftMs({ l: 0, c: 0, node: "cai" }, 1e12)).toBeLessThan(0);
  });

  it("issues no old timestamp after a restart", () => {
    const before = new HybridLogicalClock({ node: "fra", clock: { now: () => 5000 } });
    const issued = before.now();
    const after = new HybridLogicalClock({ node: "fra", clock: { now: () => 10 }, saved: before.save() });
    expect(compareTimestamps(after.now(), issued)).toBeGreaterThan(0);
  });

  it("is always above its own last stamp, the remote's, and not below the wall clock", () => {
    const event = fc.record({
      wallMs: fc.integer({ min: 0, max: 20 }),
      remote: fc.option(fc.record({ l: fc.nat(20), c: fc.nat(5), node: fc.constant("cai") }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let last: Timestamp = { l: 0, c: 0, node: "fra" };
        for (const { wallMs, remote } of events) {
          const next = remote === undefined ? tickHlc(last, wallMs) : joinHlc(last, remote, wallMs);
          expect(compareTimestamps(next, last)).toBeGreaterThan(0);
          expect(next.l).toBeGreaterThanOrEqual(wallMs);
          if (remote !== undefined) expect(compareTimestamps({ ...next, node: "" }, { ...remote, node: "" })).toBe(1);
          last = next;
        }
      }),
    );
  });
});

describe("the order of timestamps", () => {
  it("is by l, then c, then node, all as what they are", () => {
    const ascending: Timestamp[] = [
      { l: 9, c: 10, node: "a" },
      { l: 10, c: 2, node: "z" },
      { l: 10, c: 9, node: "Z" },
      { l: 10, c: 9, node: "a" },
      { l: 10, c: 10, node: "a" },
    ];
    const shuffled = [3, 0, 4, 2, 1].map((index) => ascending[index] as Timestamp);
    expect(shuffled.sort(compareTimestamps)).toEqual(ascending);
    expect(compareTimestamps({ l: 1, c: 1, node: "a" }, { l: 1, c: 1, node: "a" })).toBe(0);
  });
});
