import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readMergeInputs } from "../../../../harness/cli/merge-input.ts";

vi.mock("../../../../harness/results/store.ts", async (original) => ({
  ...(await original<object>()),
  readResult: () => ({ kind: "converge" }),
}));

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-merge-")));
beforeAll(() => {
  for (const name of ["converge-1", "converge-2"]) {
    mkdirSync(join(cwd, "shards", name), { recursive: true });
    writeFileSync(join(cwd, "shards", name, "result.json"), "{}");
  }
  symlinkSync("converge-2", join(cwd, "shards/latest"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const sources = (...named: string[]) => readMergeInputs(named, cwd).map(({ source }) => source);

test("shards/* names the newest run by latest too, and it counts once", () => {
  const both = ["shards/converge-1", "shards/converge-2"];
  expect(sources(...both, "shards/latest")).toEqual(both);
  expect(sources("shards/latest", ...both)).toEqual(["shards/converge-2", "shards/converge-1"]);
  expect(sources("shards")).toEqual(both);
  expect(sources("shards", "shards/converge-1")).toEqual(both);
});

test("a run that is named by a link alone is read by it", () => {
  expect(sources("shards/latest")).toEqual(["shards/latest"]);
});
