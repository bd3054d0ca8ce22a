import { describe, expect, it } from "vitest";
import { renderMatrixJunit } from "../../../../reports/junit/matrix.ts";
import { hostileMatrixResult, matrixResult } from "../../../fixtures/results/matrix-result.ts";

const counts = (xml: string) => /<testsuites .*?(tests="\d+" failures="\d+" errors="\d+" skipped="\d+")/.exec(xml)?.[1];

describe("JUnit of a matrix", () => {
  it("has no failure where the command exits with 0: what broke is said in the output of its case", () => {
    const xml = renderMatrixJunit(matrixResult());
    expect(counts(xml)).toBe('tests="25" failures="0" errors="0" skipped="4"');
    expect(xml).toMatch(
      /<testcase classname="matrix redlock" name="slow-job"[^>]*>\s*<system-out>broke: exclusion, late effects\. Two workers held the key/,
    );
    expect(xml).toMatch(/name="outage"[^>]*>\s*<skipped message="The scenario was not reached/);
  });

  it("fails those cells that --fail-on names, but for locks that are broken on purpose", () => {
    const xml = renderMatrixJunit({ ...matrixResult(), status: "failed", config: { failOn: ["broke"] } });
    // Three cells that broke, and the verdict of the run.
    expect(counts(xml)).toBe('tests="25" failures="4" errors="0" skipped="4"');
    expect(xml).toMatch(/classname="matrix redlock" name="outage"[^>]*>\s*<system-out>hung: hang\./);
    expect(xml).toMatch(/classname="matrix broken\/release-any" name="slow-job"[^>]*>\s*<system-out>/);
  });

  it("of a self-test fails what was missed or is a false alarm", () => {
    const expected = { scenario: "slow-job", checks: ["exclusion"], reason: "It says why." };
    const xml = renderMatrixJunit({
      ...matrixResult(),
      status: "failed",
      selfTest: [
        { ...expected, lock: "broken/release-any", verdict: "as expected" },
        { ...expected, lock: "redlock", verdict: "missed" },
        { ...expected, lock: "set-nx", verdict: "not reached" },
        { ...expected, lock: "set-nx-renewing", checks: [], verdict: "not reached" },
      ],
    });
    expect(counts(xml)).toBe('tests="25" failures="2" errors="1" skipped="4"');
  });

  it("has errors where no cell reached a verdict", () => {
    const base = matrixResult();
    const cells = base.cells.map((cell) => ({ ...cell, verdict: "unknown" as const, evidence: [], checks: [] }));
    const xml = renderMatrixJunit({ ...base, status: "unknown", statusReason: "No cell reached a verdict.", cells });
    expect(counts(xml)).toBe('tests="25" failures="0" errors="25" skipped="0"');
  });

  it("stays well-formed whatever the texts are", () => {
    const xml = renderMatrixJunit(hostileMatrixResult());
    expect(xml).not.toMatch(/<(?!\/?(testsuites?|testcase|failure|error|skipped|system-out|\?xml)[\s>])/);
  });
});
