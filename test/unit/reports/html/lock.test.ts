import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { renderLockHtml } from "../../../../reports/html/lock.ts";
import { hostileLockResult, lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";

const failed = () => lockResult({ status: "failed", lockDuplicates: 2, findings: [overlapFinding()] });

describe("the HTML report of a lock run", () => {
  it("allows nothing but its own style and script, by their hashes", () => {
    const page = renderLockHtml(lockResult());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
    const sha = (tag: string) =>
      createHash("sha256")
        .update(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? "")
        .digest("base64");
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${sha("style")}'; script-src 'sha256-${sha("script")}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
  });

  it("has no inline style, no handler and no reference to anything outside", () => {
    const page = renderLockHtml(failed()).replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
    expect(page).not.toMatch(/\sstyle=/);
    expect(page).not.toMatch(/\son[a-z]+=/);
    expect(page).not.toMatch(/\s(src|href|srcset|data|action)="(?!#|data:,")/);
  });

  it("lets nothing from outside become markup", () => {
    const page = renderLockHtml(hostileLockResult());
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<img");
    expect(page).not.toContain("\u202e");
    expect(page).not.toMatch(/undefined|NaN|\[object/);
  });

  it.each(["passed", "failed", "unknown", "interrupted"] as const)("says %s before anything else", (status) => {
    const page = renderLockHtml(lockResult({ status, findings: status === "failed" ? [overlapFinding()] : [] }));
    expect(page.indexOf(`is-${status}"`)).toBeGreaterThan(0);
    expect(page.indexOf(`is-${status}"`)).toBeLessThan(page.indexOf("<section"));
  });

  it("shows the article's figures beside the measured ones, and says what is wrong with one of them", () => {
    const page = renderLockHtml(lockResult()).replaceAll("\u00a0", " ");
    for (const text of ["11.7 % → 0 in 72 h", "~0.6 ms", "~2.1 ms", "1,200 → 1,180", "it is 140 a minute"]) {
      expect(page).toContain(text);
    }
  });

  it("draws lanes and lists the evidence of a finding", () => {
    const page = renderLockHtml(failed());
    expect(page).toContain("both hold the lock: 1.5 s");
    expect(page).toContain("← the second effect of one job");
  });

  it("gives every chart its numbers", () => {
    const page = renderLockHtml(lockResult());
    const charts = page.match(/data-rows="[^"]+"/g) ?? [];
    expect(charts.length).toBeGreaterThanOrEqual(7);
    for (const chart of charts) expect(page).toContain(chart.replace("data-rows=", "id="));
  });

  it("stays small however long the run was", () => {
    const long = lockResult({
      rounds: 40,
      roundMs: 120_000,
      findings: Array.from({ length: 300 }, () => overlapFinding()),
    });
    expect(Buffer.byteLength(renderLockHtml(long))).toBeLessThan(2_000_000);
  });

  it("is the same text for the same result", () => {
    expect(renderLockHtml(failed())).toBe(renderLockHtml(failed()));
  });
});
