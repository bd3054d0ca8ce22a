import { expect, it } from "vitest";
import { findLeftoverRuns, isRunName } from "../../../../harness/redis/leftover-runs.ts";

const [old, later] = ["lock-20260131T120005Z-3f9a1c", "compare-20260201T120005Z-a0a0a0"];
const batches = [
  [`holdfast:${later}:job:1`, "holdfast:theirs", "holdfast:lock-1-a:key"],
  [`holdfast:${old}:job:1`, `holdfast:${later}:job:2`, `holdfast:${old}`],
];
const client = {
  scan: async (cursor: string | number) => [cursor === "0" ? "7" : "0", batches[cursor === "0" ? 0 : 1]],
} as unknown as Parameters<typeof findLeftoverRuns>[0];

it("counts the keys of each run, the oldest first, and leaves out what only begins alike", async () => {
  expect(await findLeftoverRuns(client)).toEqual({
    runs: [
      { run: old, keys: 1 },
      { run: later, keys: 2 },
    ],
    isWhole: true,
  });
});

it("says when the time was up before it had seen all", async () => {
  expect(await findLeftoverRuns(client, 0)).toEqual({ runs: [{ run: later, keys: 1 }], isWhole: false });
});

it.each(["*", "lock-20260131T120005Z-", "lock-20260131T120005Z-3f:*", "theirs", ""])(
  "%j is no name of a run",
  (text) => {
    expect(isRunName(text)).toBe(false);
  },
);
