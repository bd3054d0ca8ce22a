import { describe, expect, it } from "vitest";
import type { CellVerdict, MatrixResult } from "../../../../harness/results/matrix-schema.ts";
import { renderMatrixHtml } from "../../../../reports/html/matrix.ts";
import { builtInReporters } from "../../../../reports/registry.ts";
import { spokenVerdict } from "../../../../reports/verdict.ts";
import { context } from "../../../fixtures/results/context.ts";
import { matrixResult } from "../../../fixtures/results/matrix-result.ts";

type Status = MatrixResult["status"];

/** One row a lock: its verdicts, scenario by scenario. */
function matrixOf(rows: Record<string, readonly CellVerdict[]>, status: Status = "passed"): MatrixResult {
  const base = matrixResult();
  const locks = Object.keys(rows).map((name) => ({ name, summary: name, brokenOnPurpose: name.startsWith("broken/") }));
  const cells = Object.entries(rows).flatMap(([lock, verdicts]) =>
    verdicts.map((verdict, index) => ({
      ...base.cells[0]!,
      ...{ lock, scenario: base.scenarios[index]!.name, verdict, checks: [], evidence: [], reason: "It says why." },
    })),
  );
  return { ...base, status, statusReason: "No cell reached a verdict, such as this: It says why.", locks, cells };
}
const headline = (rows: Record<string, readonly CellVerdict[]>, status?: Status) =>
  spokenVerdict(matrixOf(rows, status)).headline;

describe("what is said of a matrix", () => {
  it.each([["not-applicable"], ["unknown"]] as const)("praises no lock whose cells are all %s", (verdict) => {
    expect(headline({ a: [verdict] }, "unknown")).toBe("Nothing was judged, so nothing is known of any lock.");
    expect(headline({ a: ["broke"], b: [verdict] })).toMatch(/^1 of \d cells? broke or hung\. Nothing is known of b\./);
    const held = spokenVerdict(matrixOf({ a: ["held"], b: [verdict] }));
    expect(held.headline).toMatch(/^1 lock held wherever a verdict was reached\. Nothing is known of b\./);
    expect(held.word).toBe("every cell ran");
  });

  it("names how much of it was judged", () => {
    expect(headline({ a: ["broke", "held"], b: ["held", "unknown"] })).toBe(
      "1 of 4 cells broke or hung; nothing broke b wherever a verdict was reached. 1 cell did not reach a verdict.",
    );
  });

  it("does not count as missed what is broken on purpose and was not judged", () => {
    expect(headline({ "broken/x": ["unknown"], "broken/y": ["broke"] })).toBe(
      "Of the locks that are broken on purpose, 1 of 1 was found out. Nothing is known of broken/x.",
    );
  });

  it("is the same in every report", () => {
    const result = matrixOf({ a: ["unknown"], b: ["not-applicable"] }, "unknown");
    for (const { name, report } of builtInReporters) {
      const outputs = report.matrix?.(result, context);
      if (!outputs) continue;
      const text = JSON.stringify(outputs);
      expect(text.includes("No cell reached a verdict"), name).toBe(true);
      expect(
        /PASSED|every cell ran|held wherever|nothing broke/i.exec(
          text.replaceAll(/<style>.*<\/style>|passed/g, ""),
        )?.[0],
        name,
      ).toBe(undefined);
    }
  });

  it("shows no figure in the colour of success, and no legend of evidence, where there is none", () => {
    const page = renderMatrixHtml(matrixOf({ a: ["unknown"] }, "unknown"));
    expect(page.includes('class="figure good"')).toBe(false);
    expect(page.includes("two hold one key</li>")).toBe(false);
    expect(renderMatrixHtml(matrixResult()).includes("two hold one key</li>")).toBe(true);
  });
});
