import { describe, expect, it } from "vitest";
import { faultsNear } from "../../../../reports/evidence/faults-near.ts";
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

  it("are none where the start of the load is not known", () => {
    expect(faultsNear(lockResult(), finding)).toEqual([]);
  });
});
