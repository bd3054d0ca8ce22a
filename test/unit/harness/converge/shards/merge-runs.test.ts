import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type ConvergeRun, runConverge } from "../../../../../harness/converge/run-converge.ts";
import { mergeRuns, type ShardRun } from "../../../../../harness/converge/shards/merge-runs.ts";
import { share } from "../../../../../harness/converge/shards/share.ts";
import type { Mistake } from "../../../../fixtures/converge/document.ts";

const path = fileURLToPath(new URL("../../../../fixtures/converge/mistaken-document.ts", import.meta.url));
const ref = (mistake?: Mistake) => ({
  name: mistake ?? "correct",
  path,
  argument: "./mistaken-document.ts",
  options: mistake === undefined ? {} : { mistake },
});
const campaign = { seed: 7, threads: 0, schedules: 61, crdts: [ref("merge-by-sum"), ref()] };
const names = campaign.crdts.map(({ name }) => name);

async function shards(count: number, schedules = campaign.schedules): Promise<ShardRun[]> {
  const parts: ShardRun[] = [];
  for (let index = 0; index < count; index++) {
    const shard = { index, count };
    parts.push({ shard, run: await runConverge({ ...campaign, schedules, shard }) });
  }
  return parts;
}

/** Without what depends on the machine's speed. */
function found({ crdts, files, status, statusReason, seed, mode }: ConvergeRun) {
  return {
    ...{ files, status, statusReason, seed, mode },
    crdts: crdts.map(({ elapsedMs: _, schedulesPerSecond: _perSecond, speeds: _speeds, ...crdt }) => crdt),
  };
}

describe("the shards of a campaign, merged", () => {
  test.each([1, 2, 3, 7])("are the whole, byte for byte, when there were %i", async (count) => {
    const whole = await runConverge(campaign);
    expect(whole.crdts[0]!.failed).not.toEqual({});
    const merged = mergeRuns((await shards(count)).toReversed(), { names, schedules: campaign.schedules });
    expect(found(merged)).toEqual(found(whole));
    expect(JSON.stringify(merged.crdts.map(({ failures }) => failures))).toBe(
      JSON.stringify(whole.crdts.map(({ failures }) => failures)),
    );
  });

  test("one of them cut short: what it would have found is missing, and that is said", async () => {
    const parts = await shards(2);
    const short = await shards(2, 40);
    const merged = mergeRuns([parts[0]!, short[1]!], { names: ["correct"], schedules: campaign.schedules });
    expect(merged.status).toBe("interrupted");
    expect(merged.statusReason).toContain(`after ${31 + 20} schedules`);
  });

  test("one of them never came to the second data type", async () => {
    const [first, second] = (await shards(2)) as [ShardRun, ShardRun];
    const [only] = second.run.crdts;
    const merged = mergeRuns([first, { ...second, run: { ...second.run, crdts: [only!] } }], { names });
    expect(merged.status).toBe("failed");
    expect(merged.statusReason).toContain("It was interrupted.");
    expect(merged.crdts.map(({ schedules }) => schedules)).toEqual([61, 31]);
  });
});

test("every schedule belongs to one shard", () => {
  for (const count of [1, 2, 5, 9]) {
    const parts = Array.from({ length: count }, (_, index) => share(7, { index, count }));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(7);
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
  }
});
