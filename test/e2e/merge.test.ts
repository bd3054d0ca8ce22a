import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ConvergeResult, convergeResultSchema } from "../../harness/results/converge-schema.ts";
import { matrixResultSchema } from "../../harness/results/matrix-schema.ts";
import { lockResult } from "../fixtures/results/lock-result.ts";
import { folderForTest, startHarness } from "./run-harness.ts";

const campaign = ["converge", "--crdt", "row-lww,document", "--schedules", "50", "--seed", "7", "--threads", "1"];
const parse = (text: string): ConvergeResult => convergeResultSchema.parse(JSON.parse(text));

test("parts of a campaign, merged from the artifacts of a CI, are the whole", async () => {
  const cwd = folderForTest();
  const whole = parse((await startHarness([...campaign, "--json"], cwd)).stdout);
  await Promise.all(
    [1, 2, 3].map((number) =>
      startHarness([...campaign, "--shard", `${number}/3`, "--out", `artifacts/part-${number}/harness-results`], cwd),
    ),
  );
  const { stdout, exitCode, stderr } = await startHarness(["merge", "artifacts", "--json"], cwd);
  expect(stderr).toBe("");
  expect(exitCode).toBe(1);
  const merged = parse(stdout);
  expect(merged.crdts.map(({ schedules }) => schedules)).toEqual([50, 50]);
  expect(JSON.stringify(merged.crdts.map(({ failures }) => failures))).toBe(
    JSON.stringify(whole.crdts.map(({ failures }) => failures)),
  );
  expect(merged.findings).toEqual(whole.findings);
  expect(merged).toMatchObject({
    status: "failed",
    statusReason: whole.statusReason,
    replay: whole.replay.replace(" --threads 1", ""),
  });
  expect(merged.shards?.map(({ shard }) => shard)).toEqual(["1/3", "2/3", "3/3"]);
  const latest = join(cwd, "harness-results", "latest");
  expect(readdirSync(latest)).toEqual(expect.arrayContaining(["plan.json", "report.html", "result.json"]));
  const { shard } = JSON.parse(readFileSync(join(latest, "plan.json"), "utf8"));
  expect(shard).toBeUndefined();
  for (const { file } of merged.crdts.flatMap(({ failures }) => failures)) {
    expect(existsSync(join(latest, file!))).toBe(true);
  }

  const merge = (...names: string[]) => startHarness(["merge", ...names.map((name) => `artifacts/${name}`)], cwd);
  const missing = await merge("part-1", "part-3");
  expect(missing).toMatchObject({ exitCode: 64, stderr: expect.stringContaining("Part 2/3 is missing") });
  await startHarness([...campaign, "--shard", "2/3", "--out", "artifacts/again"], cwd);
  expect((await merge("")).stderr).toContain("Part 2/3 is there twice");
  const other = [...campaign.slice(0, -3), "8", "--shard", "2/3", "--out", "artifacts/other"];
  await startHarness(other, cwd);
  expect((await merge("part-1", "other", "part-3")).stderr).toContain("seed is 7 in the one and 8 in the other");
});

test("parts of a matrix are one table, with every cell's history; one that ran twice is a conflict", async () => {
  const cwd = folderForTest();
  const of = ["--lock", "set-nx", "--scenario", "slow-job,delayed-delete", "--seed", "3"];
  const part = (number: number, out: string) =>
    startHarness(["matrix", ...of, "--shard", `${number}/2`, "--out", out, "--reporter", "html"], cwd);
  await Promise.all([part(1, "parts/one"), part(2, "parts/two")]);
  const { stdout, stderr, exitCode } = await startHarness(["merge", "parts", "--json"], cwd);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  const result = matrixResultSchema.parse(JSON.parse(stdout));
  expect(result.cells.map(({ scenario, verdict }) => [scenario, verdict])).toEqual([
    ["slow-job", "broke"],
    ["delayed-delete", "held"],
  ]);
  expect(result).toMatchObject({ status: "passed", warnings: [], seed: 3 });
  expect(result.shards?.map(({ shard }) => shard)).toEqual(["1/2", "2/2"]);
  const latest = join(cwd, "harness-results", "latest");
  expect(readdirSync(join(latest, "cells"))).toHaveLength(2);
  // As any other matrix, it can be judged again from its histories.
  const again = matrixResultSchema.parse(JSON.parse((await startHarness(["check", "--json"], cwd)).stdout));
  expect(again.cells.map(({ verdict }) => verdict)).toEqual(["broke", "held"]);

  const [two] = readdirSync(join(cwd, "parts/two")).filter((name) => name !== "latest");
  const [one] = readdirSync(join(cwd, "parts/one")).filter((name) => name !== "latest");
  cpSync(join(cwd, "parts/one", one!, "cells"), join(cwd, "parts/two", two!, "cells"), { recursive: true });
  const conflict = await startHarness(["merge", "parts"], cwd);
  expect(conflict).toMatchObject({ exitCode: 64, stderr: expect.stringContaining("ran in two parts") });
});

test.each([
  [["merge"], "needs DIR"],
  [["merge", "nowhere"], "There is no result in"],
  [["matrix", "--shard", "1/2"], "give every part the same --seed"],
  [["converge", "--shard", "1/2"], "give every part the same --seed"],
  [["converge", "--shard", "1/2", "--seed", "7", "--zoo"], "--shard splits random schedules"],
])("%j is refused", async (args, message) => {
  const cwd = folderForTest();
  const { stderr, exitCode } = await startHarness(args, cwd);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(64);
  expect(readdirSync(cwd)).toEqual([]);
});

test("a whole campaign is no part of one", async () => {
  const cwd = folderForTest();
  await startHarness(["converge", "--schedules", "20", "--seed", "7"], cwd);
  const { stderr, exitCode } = await startHarness(["merge", "harness-results"], cwd);
  expect(stderr).toContain("is a whole campaign");
  expect(exitCode).toBe(64);
});

test("lock runs are no parts of a whole: refused, with what there is instead", async () => {
  const cwd = folderForTest();
  for (const name of ["one", "two"]) {
    mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, name, "result.json"), JSON.stringify({ ...lockResult(), id: name }));
  }
  const { exitCode, stderr } = await startHarness(["merge", "one", "two"], cwd);
  expect(stderr).toContain("Results of kind lock cannot be merged: they are no parts of a whole.");
  expect(stderr).toContain("harness worker --join");
  expect(exitCode).toBe(64);
});
