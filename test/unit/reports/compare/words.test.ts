import { describe, expect, it } from "vitest";
import type { CompareResult } from "../../../../harness/results/compare-schema.ts";
import { compareHeadline } from "../../../../reports/compare/words.ts";
import { renderCompareHtml } from "../../../../reports/html/compare.ts";
import { storedComparison } from "../../../fixtures/results/compare-result.ts";

const empty = (status: CompareResult["status"]): CompareResult => ({
  ...storedComparison(),
  ...{ status, statusReason: "Interrupted.", verdict: "inconclusive", rounds: { base: 0, head: 0, needed: 0 } },
  ...{ metrics: [], correctness: [], spectra: [], differences: [], findings: [] },
});

describe("a comparison that was interrupted before both sides had played a round", () => {
  it("says that nothing was compared, and not that nothing appeared", () => {
    expect(compareHeadline(empty("interrupted"))).toBe("Nothing was compared.");
    const page = renderCompareHtml(empty("interrupted"));
    for (const claim of ["violations that the base did not have", "shows a violation", "the same configuration"])
      expect(page.includes(claim), claim).toBe(false);
  });

  it("is another than one without metrics, such as of two matrices", () => {
    expect(compareHeadline(empty("passed"))).toBe("Inconclusive: no violation appeared; there was no metric to judge.");
  });
});

describe("a comparison in which something broke", () => {
  const broke = (what: string, group: string, fails = true) => ({
    ...{ change: "appeared" as const, group, what, base: "none", head: "1 time", fails },
  });

  it("names each lock or data type once", () => {
    const correctness = [
      broke("LOST-UPDATE", "row-lww"),
      broke("gone", "row-lww", false),
      ...["ADD-LOST", "CAUSALITY", "DIVERGED", "RESURRECTED"].map((what) => broke(what, "row-lww")),
      broke("DIVERGED", "other"),
    ];
    expect(compareHeadline({ ...storedComparison(), verdict: "broke", correctness })).toBe(
      "Broke: row-lww (LOST-UPDATE, ADD-LOST, CAUSALITY and 2 more) and other (DIVERGED); the base did not.",
    );
  });
});
