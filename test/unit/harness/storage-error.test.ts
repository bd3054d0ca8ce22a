import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportError } from "../../../harness/cli/report-error.ts";
import { appendWhole, machineErrorOf, makeFolders, StorageError, writing } from "../../../harness/storage-error.ts";

const refusal = (code: string) => Object.assign(new Error(`${code}: refused, write`), { code });

test.each(["ENOSPC", "EACCES", "EROFS", "EMFILE", "ENOENT", "EDQUOT"])(
  "%s while something is written: 69, with the path and what to do",
  (code) => {
    const refused = () =>
      writing("/results/history.ndjson", () => {
        throw refusal(code);
      });
    expect(refused).toThrow(StorageError);
    expect(refused).toThrow(
      /^\/results\/history\.ndjson could not be written: .*Make room there, or name another folder/,
    );
  },
);

test("where temporary files cannot be written, another --out would not help", () => {
  const said = (path: string) => machineErrorOf(Object.assign(refusal("EROFS"), { path }))?.message;
  expect(said(join(tmpdir(), "holdfast-XXXXXX"))).toBe(
    `${join(tmpdir(), "holdfast-XXXXXX")} could not be written: the file system is read-only (EROFS). ` +
      "Make room there, or name another folder in the variable TMPDIR. What was recorded before stays readable.",
  );
  for (const results of ["results/lock-1/plan.json", "holdfast-results/plan.json", "holdfast-e2e-XXXXXX/plan.json"]) {
    expect(said(join(tmpdir(), results))).toContain("name another folder with --out");
  }
});

test("what is no fault of the file system stays what it is", () => {
  const fault = () => {
    throw new TypeError("a fault");
  };
  expect(() => writing("/results", fault)).toThrow(TypeError);
  expect(machineErrorOf(refusal("ENOENT"))).toBeUndefined();
});

test("a full disk that nobody foresaw is the machine's, and no fault of harness", () => {
  const error = new Error("outer", { cause: refusal("ENOSPC") });
  expect(reportError(error, undefined)).toMatchObject({ exitCode: 69, text: expect.stringContaining("no space left") });
});

test("folders are made one by one, also where none can be made", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-folders-"));
  makeFolders(join(folder, "a", "b"));
  makeFolders(join(folder, "a", "b"));
  expect(existsSync(join(folder, "a", "b"))).toBe(true);
  appendWhole(join(folder, "a", "b", "c"), "1\n");
  appendWhole(join(folder, "a", "b", "c"), "2\n");
  expect(readFileSync(join(folder, "a", "b", "c"), "utf8")).toBe("1\n2\n");
  expect(() => makeFolders(join(folder, "a", "b", "c", "d"))).toThrow();
  if (process.platform === "linux") expect(() => makeFolders("/proc/holdfast/run")).toThrow(/ENOENT/);
  rmSync(folder, { recursive: true });
});
