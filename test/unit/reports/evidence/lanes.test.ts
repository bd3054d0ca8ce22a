import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../../harness/contracts/check.ts";
import { laneDiagram } from "../../../../reports/evidence/lanes.ts";
import { overlapFinding } from "../../../fixtures/results/lock-result.ts";

const evidence = overlapFinding().evidence as Evidence[];

describe("the lanes of a finding", () => {
  it("has a lane for each execution, with holds from the grant to the call of release", () => {
    const { lanes, endMs } = laneDiagram(evidence);
    expect(lanes.map(({ worker, execution }) => [worker, execution])).toEqual([
      [1, "r2-41/1@1.1"],
      [3, "r2-41/2@3.1"],
    ]);
    expect(lanes[0]?.holds).toEqual([
      { fromMs: 1.9, toMs: 3000.6, key: "webhook:r2-41", claimEndsMs: 501.9, open: false },
    ]);
    expect(endMs).toBe(3120);
  });

  it("finds the overlap", () => {
    expect(laneDiagram(evidence).overlaps).toEqual([{ fromMs: 1503.6, toMs: 3000.6 }]);
  });

  it("knows when a worker was stopped", () => {
    expect(laneDiagram(evidence).faults).toEqual([
      { name: "worker-stop", target: "worker:1", worker: 1, fromMs: 402, toMs: 1602 },
    ]);
  });

  it("lets a hold without an end in the excerpt run to its last event", () => {
    const [hold] = laneDiagram(evidence.slice(0, 9)).lanes[0]?.holds ?? [];
    expect(hold).toMatchObject({ open: true, toMs: 1503.6 });
  });

  it("ends a hold at the lost signal and at the death of its worker", () => {
    const grant = evidence[2] as Evidence;
    const end = (event: Partial<Evidence>) =>
      laneDiagram([grant, { ...grant, atNs: grant.atNs + 5e6, ...event }]).lanes[0]?.holds[0];
    expect(end({ op: "lost", phase: "info" })).toMatchObject({ open: false, toMs: 5 });
    expect(end({ op: "worker", phase: "info", outcome: "crashed" })).toMatchObject({ open: false, toMs: 5 });
    expect(end({ op: "effect", phase: "invoke" })).toMatchObject({ open: true });
  });

  it("takes the end of a promise from the check where the library names none", () => {
    const { validUntilMs: _, ...grant } = evidence[2] as Evidence;
    const [hold] = laneDiagram([{ ...grant, promiseEndsAtNs: grant.atNs + 7e6 }]).lanes[0]?.holds ?? [];
    expect(hold?.claimEndsMs).toBe(7);
  });
});
