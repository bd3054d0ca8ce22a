import { describe, expect, it } from "vitest";
import { renderLockMarkdown } from "../../../../reports/markdown/lock.ts";
import { markdown } from "../../../../reports/markdown/reporter.ts";
import { context } from "../../../fixtures/results/context.ts";
import { hostileLockResult, lockResult } from "../../../fixtures/results/lock-result.ts";

describe("the Markdown report of a lock run", () => {
  it("is appended to the step summary where there is one", () => {
    const environment = { GITHUB_STEP_SUMMARY: "/runner/summary.md" };
    const inActions = markdown.report.lock?.(lockResult(), { ...context, environment });
    expect(inActions?.append).toEqual({ "/runner/summary.md": `${inActions?.files?.["report.md"]}\n` });
    expect(markdown.report.lock?.(lockResult(), context).append).toBeUndefined();
  });

  it("lets no markup, table border or fence of an outside text through", () => {
    const text = renderLockMarkdown(hostileLockResult());
    const fences = text.match(/^```/gm)?.length;
    expect(fences).toBe(4);
    expect(/<script|<img/.test(text.replace(/^```[\s\S]*?^```/gm, ""))).toBe(false);
    const table = text.split("\n").filter((line) => line.startsWith("| "));
    const borders = table.map((line) => line.replace(/\\\|/g, "").match(/\|/g)?.length);
    expect(new Set(borders).size).toBe(1);
  });
});
