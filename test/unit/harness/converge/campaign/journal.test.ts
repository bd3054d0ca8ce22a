import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Journal } from "../../../../../harness/converge/campaign/journal.ts";

test("every schedule and every step is on disk before it runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "journal.ndjson");
  const journal = new Journal(path);
  journal.begin(3, Int32Array.of(1, 2));
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ index: 3, schedule: [1, 2] });
  journal.close();
});

const full = {
  exitCode: 69,
  message: expect.stringMatching(
    /^\/dev\/full could not be written: there is no space left \(ENOSPC\)\. Make room there, or name another file with --journal\./,
  ),
};

test.runIf(existsSync("/dev/full"))("a full disk is told with the path", () => {
  const journal = new Journal("/dev/full");
  expect(() => journal.begin(0, Int32Array.of(1))).toThrow(expect.objectContaining(full));
  journal.close();
});
