import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../../harness/contracts/check.ts";
import type { Operation, Phase } from "../../../../harness/contracts/history.ts";
import { describeEvent, describeEvidence } from "../../../../reports/evidence/describe.ts";
import { overlapFinding } from "../../../fixtures/results/lock-result.ts";

const operations: Operation[] = [
  ..."arrive deliver acquire look extend lost effect ack release skip fault worker round sample witness".split(" "),
] as Operation[];
const phases: Phase[] = ["invoke", "ok", "fail", "info"];

describe("an excerpt of the history in words", () => {
  it("says once what all events share, and counts time from the first", () => {
    const { common, events } = describeEvidence(overlapFinding().evidence as Evidence[]);
    expect(common).toEqual(["round 2", "key webhook:r2-41", "job r2-41"]);
    expect(events[0]).toMatchObject({
      sinceFirstMs: 0,
      atMs: 12_400,
      actor: "worker 1",
      what: "gets the job",
      facts: [],
    });
    expect(events[8]).toMatchObject({
      sinceFirstMs: 1503.6,
      actor: "worker 3",
      what: "is granted the lock",
      facts: ["token 19be77aa…", "valid 500 ms more"],
    });
  });

  it("names the incarnation of a worker that was replaced", () => {
    const { events } = describeEvidence([
      { atNs: 0, round: 1, arm: "a", op: "lost", phase: "info", worker: 2, incarnation: 3 },
    ]);
    expect(events[0]?.actor).toBe("worker 2.3");
  });

  it("has words for every operation and phase", () => {
    for (const op of operations) {
      for (const phase of phases) {
        const text = describeEvent({ atNs: 0, round: 1, arm: "a", op, phase, worker: 1 });
        expect(text.trim(), `${op} ${phase}`).not.toBe("");
        expect(text, `${op} ${phase}`).not.toContain("undefined");
      }
    }
  });
});
