import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { reportError } from "../../../../harness/cli/report-error.ts";
import { UnavailableError, UsageError } from "../../../../harness/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-report-error-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("an error that was foreseen says all there is to say", () => {
  expect(reportError(new UsageError("No."), folder)).toEqual({ exitCode: 64, text: "No." });
  expect(reportError(new UnavailableError("Get it."), folder)).toEqual({ exitCode: 69, text: "Get it." });
});

test("the stack of any other goes into the run folder, with its cause", () => {
  const { exitCode, text } = reportError(new Error("broken", { cause: new TypeError("deeper") }), folder);
  expect(exitCode).toBe(70);
  const [file = ""] = readdirSync(folder);
  expect(text).toContain(join(folder, file));
  expect(text).toContain("This is a fault of harness itself: broken");
  expect(text).not.toContain("report-error.test.ts");
  const stored = readFileSync(join(folder, file), "utf8");
  expect(stored).toContain("report-error.test.ts");
  expect(stored).toContain("Caused by: TypeError: deeper");
});

test("what a damaged file holds reaches no terminal as it is", () => {
  const quoting = new UsageError("it is no JSON (Unexpected token '\u001b[2J\u0007')\nsecond\tline");
  expect(reportError(quoting, undefined).text).toBe("it is no JSON (Unexpected token '\\x1b[2J\\x07')\nsecond\tline");
});
