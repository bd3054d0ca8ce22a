import { describe, expect, it } from "vitest";
import { renderLockHtml } from "../../../../reports/html/lock.ts";
import { headline } from "../../../../reports/lock/sentences.ts";
import { lockResult } from "../../../fixtures/results/lock-result.ts";

describe("the headline", () => {
  it("counts the jobs that ran twice or more", () => {
    expect(headline(lockResult())).toMatch(
      /^set-nx held: no job ran twice\. Without the lock, \d+ of \d+ jobs \(.* %\) did\.$/,
    );
  });

  it("of the incident tells how often one job ran, and so does the page", () => {
    const incident = { ...lockResult(), config: { ...lockResult().config, preset: "incident" } };
    expect(headline(incident)).toContain("Without the lock, one job ran 3 times, and ");
    expect(renderLockHtml(incident)).toContain("runs of one job at the most, no lock → set-nx");
    expect(renderLockHtml(lockResult())).not.toContain("runs of one job at the most");
  });
});
