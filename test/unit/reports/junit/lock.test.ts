import { describe, expect, it } from "vitest";
import { renderLockJunit } from "../../../../reports/junit/lock.ts";
import { hostileLockResult, lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";

describe("JUnit of a lock run", () => {
  it("has a case for each arm and check", () => {
    const xml = renderLockJunit({ ...lockResult(), checks: ["exclusion", "fencing"] });
    expect(xml.match(/<testcase [^>]*/g)?.map((one) => one.replace(/ time=.*/, ""))).toEqual([
      '<testcase classname="lock run" name="verdict"',
      '<testcase classname="lock none-literal" name="lost work"',
      '<testcase classname="lock none" name="lost work"',
      '<testcase classname="lock set-nx" name="exclusion"',
      '<testcase classname="lock set-nx" name="fencing"',
    ]);
    expect(xml).toContain('tests="5" failures="0" errors="0" skipped="0"');
  });

  it("never lets a run without a verdict pass", () => {
    expect(renderLockJunit(lockResult({ status: "unknown" }))).toContain('<error type="unknown"');
    expect(renderLockJunit(lockResult({ status: "interrupted" }))).toContain('<error type="interrupted"');
  });

  it("does not fail on what any lock has", () => {
    const inherent = { ...overlapFinding(), check: "duplicates", inherent: true };
    expect(renderLockJunit(lockResult({ findings: [inherent] }))).toContain('failures="0"');
  });

  it("stays well-formed whatever the texts are", () => {
    const xml = renderLockJunit(hostileLockResult());
    expect(xml).not.toMatch(/<(?!\/?(testsuites?|testcase|failure|error|skipped|\?xml)[\s>])/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });
});
