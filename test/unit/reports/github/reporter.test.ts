import { describe, expect, it } from "vitest";
import type { MatrixResult } from "../../../../harness/results/matrix-schema.ts";
import { renderAnnotations } from "../../../../reports/github/annotation.ts";
import { github } from "../../../../reports/github/reporter.ts";
import { context } from "../../../fixtures/results/context.ts";
import { lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";
import { matrixResult } from "../../../fixtures/results/matrix-result.ts";

describe("annotations", () => {
  it("are an error for each finding and none for a pass", () => {
    const failed = lockResult({ status: "failed", findings: [overlapFinding()] });
    expect(github.report.lock?.(failed, context).stdout?.split("\n")).toEqual([
      expect.stringMatching(/^::error title=Holdfast lock%3A failed::set-nx broke/),
      expect.stringMatching(/^::error title=set-nx%3A exclusion \(expired hold\)::Worker 3 was granted/),
      "",
    ]);
    expect(github.report.lock?.(lockResult(), context).stdout).toBe("");
  });

  it("are a warning where there is no verdict", () => {
    expect(github.report.lock?.(lockResult({ status: "unknown" }), context).stdout).toMatch(/^::warning /);
  });

  it("of a matrix are errors only for the cells that fail the command", () => {
    const levels = (result: MatrixResult) => github.report.matrix?.(result, context).stdout?.match(/^::\w+/gm);
    expect(levels(matrixResult())).toEqual(Array(4).fill("::warning"));
    const failing: MatrixResult = { ...matrixResult(), status: "failed", config: { failOn: "hung" } };
    expect(levels(failing)).toEqual(["::error", "::error", "::warning", "::warning", "::warning"]);
  });

  it("cannot be ended or forged by an outside text", () => {
    const text = renderAnnotations([{ level: "error", title: "a::b,c%", message: "x\n::set-output name=y::z\r100%" }]);
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toMatch(/^::error title=a%3A%3Ab%2Cc%25::/);
  });

  it("are at most ten of a level, and the last says how many more there are", () => {
    const many = Array.from({ length: 25 }, (_, index) => ({
      level: "error" as const,
      title: "t",
      message: String(index),
    }));
    const lines = renderAnnotations(many).trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines[9]).toContain("16 more");
  });
});
