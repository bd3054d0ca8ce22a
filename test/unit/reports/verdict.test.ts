import { expect, it } from "vitest";
import { unbroken } from "../../../reports/html/markup.ts";
import type { AnyResult } from "../../../reports/result.ts";
import { spokenVerdict } from "../../../reports/verdict.ts";
import { exampleResults } from "../../fixtures/results/all.ts";

const spoken = (name: string) => spokenVerdict(exampleResults[name]?.() as AnyResult);

it.each(Object.keys(exampleResults))("the verdict of %s says nothing twice", (name) => {
  const { word, headline, reason } = spoken(name);
  expect(headline.toLowerCase().startsWith(`${word ?? "-"}:`)).toBe(false);
  expect(reason === undefined || !headline.includes(reason)).toBe(true);
  expect(reason?.startsWith("Findings:") ?? false).toBe(false);
});

it("gives the reason where the headline does not have it", () => {
  expect(spoken("lock-failed").reason).toBeUndefined();
  expect(spoken("lock-unknown").reason).toBeDefined();
  expect(spoken("compare-regressed").reason).toBeDefined();
});

it("a matrix in which something broke is not called passed", () => {
  expect(spoken("matrix").word).toBe("every cell ran");
});

it("a number stays with its unit and with what it counts", () => {
  expect(unbroken("39.3 % of 6 windows (15 → 0), 794 (−21.3 %)")).toBe(
    "39.3\u00a0% of 6\u00a0windows (15\u00a0→\u00a00), 794 (−21.3\u00a0%)",
  );
});
