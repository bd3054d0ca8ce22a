import { describe, expect, it } from "vitest";
import { renderLockHtml } from "../../../../reports/html/lock.ts";
import { footnotes, headline } from "../../../../reports/lock/sentences.ts";
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

describe("the footnotes", () => {
  const withArms = (change: (jobs: { duplicated: number }) => object) => {
    const result = lockResult();
    return { ...result, arms: result.arms.map((arm) => ({ ...arm, jobs: { ...arm.jobs, ...change(arm.jobs) } })) };
  };

  it("say of an idempotent job that its duplicates did no harm, or how much they did", () => {
    expect(footnotes(lockResult()).join(" ")).not.toContain("idempotent");
    const unharmed = footnotes(withArms(() => ({ harmedRows: 0 }))).join(" ");
    expect(unharmed).toMatch(/is idempotent: \d+ jobs ran twice or more .*, unharmed: such a job needs no lock\./);
    expect(footnotes(withArms(() => ({ harmedRows: 1 }))).join(" ")).toMatch(/\d+ rows? did not end as one execution/);
  });

  it("name what an adapter changes of its library's defaults", () => {
    const result = lockResult();
    const changedDefaults = [
      { option: "retryCount", libraryDefault: 10, used: 0, why: "one attempt" },
      { option: "ttl", libraryDefault: null, used: "the TTL", why: "it has to be given" },
    ];
    const changed = {
      ...result,
      arms: result.arms.map((arm) => (arm.role === "lock" ? { ...arm, changedDefaults } : arm)),
    };
    expect(footnotes(changed).join(" ")).toContain(
      "set-nx is not run with all defaults of its library: retryCount 0, instead of 10 (one attempt); ttl the TTL, which has no default (it has to be given).",
    );
  });
});
