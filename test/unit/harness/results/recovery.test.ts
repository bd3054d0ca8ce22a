import { expect, test } from "vitest";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { recoveryOf } from "../../../../harness/results/recovery.ts";

const grantsAt = (...timesMs: number[]) =>
  indexRound({
    arm: "set-nx",
    round: 1,
    events: timesMs.map((ms): HistoryEvent => {
      const execution = `j${ms}/1@1.1`;
      return { ...{ atNs: ms * 1e6, round: 1, arm: "set-nx", op: "acquire", phase: "ok", worker: 1 }, execution };
    }),
  });
const kill = { name: "redis-kill", startNs: 1_000e6, endNs: 1_500e6 };

test("grants flow again at the end of the longest interruption since the fault", () => {
  // One that was on its way still arrives; the pause at 9 s has another reason.
  const index = grantsAt(900, 1_005, 3_200, 3_300, 9_000);
  expect(recoveryOf(kill, index)).toEqual({ grantsAgainAfterMs: 2_200 });
});

test("null when none came any more; nothing for faults that take no server away", () => {
  expect(recoveryOf(kill, grantsAt(900, 990))).toEqual({ grantsAgainAfterMs: null });
  expect(recoveryOf({ ...kill, name: "latency" }, grantsAt(900, 1_100))).toEqual({});
});
