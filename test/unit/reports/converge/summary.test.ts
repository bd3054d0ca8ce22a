import { describe, expect, it } from "vitest";
import { convergeHeadline, counterexamplesOf, neverMet, oraclesOf } from "../../../../reports/converge/summary.ts";
import {
  convergeResult,
  failedConvergeResult,
  lostUpdate,
  zooResult,
} from "../../../fixtures/results/converge-result.ts";

describe("the words of a convergence result", () => {
  it("say what held, what broke and what got away", () => {
    expect(convergeHeadline(convergeResult())).toBe("document converged in all of 214,300 schedules.");
    expect(convergeHeadline(failedConvergeResult())).toContain(
      "row-lww broke: LOST-UPDATE (7,204 schedules), CAUSALITY (311).",
    );
    expect(convergeHeadline(zooResult())).toContain(
      "3 of 4 broken implementations were found out; broken/collects-by-age got away.",
    );
  });

  it("say once what no data type met", () => {
    expect(neverMet(failedConvergeResult())).toEqual([
      "document and row-lww: it never happened that a collection ran during a partition. The result says nothing about that.",
    ]);
    expect(neverMet(zooResult())).toEqual([]);
  });

  it("name the oracles by how often they found something, and count the rest", () => {
    const [, crdt] = failedConvergeResult().crdts;
    if (crdt === undefined) throw new Error("the fixture has two data types");
    expect(oraclesOf(crdt, 1)).toBe("LOST-UPDATE (7,204 schedules), 1 more");
  });
});

describe("counterexamples", () => {
  it("of different oracles come before more of the same", () => {
    const [crdt] = convergeResult().crdts;
    if (crdt === undefined) throw new Error("the fixture has a data type");
    const failures = ["A", "A", "B", "A", "C"].map((oracle, index) => ({ ...lostUpdate(), oracle, index }));
    const order = counterexamplesOf([{ ...crdt, failures }]).map(({ failure }) => `${failure.oracle}${failure.index}`);
    expect(order).toEqual(["A0", "B2", "C4", "A1", "A3"]);
  });
});
