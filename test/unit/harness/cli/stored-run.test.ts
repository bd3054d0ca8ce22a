import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findRunFolder, lastingPath } from "../../../../harness/cli/stored-run.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-stored-")));
afterAll(() => rmSync(cwd, { recursive: true }));

test("a path by way of latest is that of the run itself, from the working directory", () => {
  mkdirSync(join(cwd, "results/converge-1"), { recursive: true });
  writeFileSync(join(cwd, "results/converge-1/plan.json"), "{}");
  symlinkSync("converge-1", join(cwd, "results/latest"));
  expect(lastingPath("results/latest/plan.json", cwd)).toBe("results/converge-1/plan.json");
  expect(lastingPath("./results/converge-1/plan.json", cwd)).toBe("./results/converge-1/plan.json");
  expect(lastingPath("../results/latest/plan.json", join(cwd, "results"))).toBe("converge-1/plan.json");
  expect(lastingPath("results/latest/none.json", cwd)).toBe("results/latest/none.json");
});

test("a run is found by its path, or by the name that it has in the folder for results", () => {
  const find = (named: string) => findRunFolder(named, { cwd, out: "results" });
  const run = join(cwd, "results/converge-1");
  expect(find("results/latest")).toBe(run);
  expect(find("latest")).toBe(run);
  expect(find("converge-1")).toBe(run);
  expect(() => find("converge-2")).toThrow(
    `There is no run at ${join(cwd, "converge-2")}, nor one of that name in ${join(cwd, "results")}.`,
  );
});
