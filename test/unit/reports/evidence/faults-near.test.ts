import { describe, expect, it } from "vitest";
import { cellFaultsNear, faultsNear } from "../../../../reports/evidence/faults-near.ts";
import { lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";

const result = lockResult();
const lock = result.arms.find(({ role }) => role === "lock");
const round = lock?.rounds.find((one) => one.round === 2);
const finding = overlapFinding();
const firstNs = finding.evidence[0]?.atNs ?? 0;

describe("faults around a finding", () => {
  it("are laid on the clock of the excerpt, cut to it, and are those of its arm and round", () => {
    if (round === undefined) throw new Error("the fixture has a second round");
    // The load began 1 s before the first event: the pause from 1.2 s to 3.2 s begins 0.2 s after it.
    round.loadStartNs = firstNs - 1e9;
    const near = faultsNear(result, finding);
    expect(near.map(({ name, worker }) => [name, worker])).toEqual([
      ["redis-pause", undefined],
      ["worker-stop", 1],
    ]);
    expect(near[0]?.fromMs).toBeGreaterThanOrEqual(200);
    expect(near[0]?.fromMs).toBeLessThan(210);
    expect(near[1]?.toMs).toBe(3120);
  });

  it("of a cell are laid on the clock of the excerpt and cut to it as well", () => {
    const at = (ms: number) => firstNs + ms * 1e6;
    const faults = [
      { name: "worker-stop", target: "worker:2", fromNs: at(-50), toNs: at(400) },
      { name: "redis-pause", target: "node:1", fromNs: at(100), toNs: at(60_000) },
      { name: "redis-flush", target: "node:1", fromNs: at(-80), toNs: at(-80) },
    ];
    expect(cellFaultsNear(faults, finding)).toEqual([
      { name: "worker-stop", target: "worker:2", worker: 2, fromMs: 0, toMs: 400 },
      { name: "redis-pause", target: "node:1", worker: undefined, fromMs: 100, toMs: 3120 },
    ]);
    expect(cellFaultsNear(faults, { evidence: [] })).toEqual([]);
  });

  it("are none where the start of the load is not known", () => {
    expect(faultsNear(lockResult(), finding)).toEqual([]);
  });
});
