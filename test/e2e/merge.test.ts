import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ConvergeResult, convergeResultSchema } from "../../harness/results/converge-schema.ts";
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

test.each([
  [["merge"], "needs DIR"],
  [["merge", "nowhere"], "There is no result in"],
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
