import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { planOfCell } from "../../../../harness/matrix/cell-plan.ts";
import { minorityPrimary } from "../../../../workloads/scenarios/failover.ts";
import { cellOf, lockOf, workloads } from "../../harness/matrix/matrix-under-test.ts";

const plan = planOfCell(cellOf(lockOf("a"), minorityPrimary), workloads);
const event = (atMs: number, op: HistoryEvent["op"], over: Partial<HistoryEvent>): HistoryEvent => ({
  ...{ atNs: atMs * 1e6, op, phase: "info", round: 1, arm: "a", worker: 0 },
  ...over,
});
const ready = (capabilities: Record<string, unknown>) =>
  event(0, "worker", { worker: 1, outcome: "ready", detail: { capabilities } });
const grant = (atMs: number, worker: number) => [
  event(atMs - 1, "acquire", { phase: "invoke", worker, key: "k1", execution: `j${worker}/1@${worker}.1` }),
  event(atMs, "acquire", {
    phase: "ok",
    worker,
    key: "k1",
    execution: `j${worker}/1@${worker}.1`,
    token: `t${worker}`,
  }),
];
const promotion = event(5_000, "fault", {
  outcome: "observed",
  detail: { id: "failover-1", name: "failover", target: "node:3", action: "observed" },
});
const command = (atMs: number, node: number, over: Record<string, unknown> = {}) =>
  event(atMs, "trace", {
    key: "k1",
    detail: { kind: "command", node, command: "SET", client: "127.0.0.1:5", ...over },
  });
const end = event(9_000, "round", { outcome: "healed" });
const missed = (...events: HistoryEvent[]) =>
  minorityPrimary.reach
    .filter(({ reached }) => !reached({ arm: "a", round: 1, events: [...events, end] }, plan))
    .map(({ name }) => name);

describe("minority-primary is reached", () => {
  test("where a lock was asked for at the promoted primary, whatever that answered", () => {
    expect(missed(...grant(700, 1), promotion, command(5_500, 3))).toEqual([]);
  });

  test("where the worker that is cut off from the old primary was granted a lock afterwards", () => {
    expect(missed(...grant(700, 1), promotion, ...grant(6_000, 2))).toEqual([]);
  });

  test("where the lock keeps its locks elsewhere", () => {
    expect(missed(ready({ usesRedis: false }), ...grant(700, 1), promotion)).toEqual([]);
  });
});

describe("minority-primary says nothing", () => {
  const name = "a lock was asked for at the primary that the sentinels promoted";

  test("of a lock that knows its first server only", () => {
    expect(missed(ready({ nodes: 1 }), ...grant(700, 1), promotion, command(5_500, 1))).toEqual([name]);
  });

  test("where the promoted one had only the commands of replication before, or those of a fault", () => {
    expect(missed(...grant(700, 1), command(900, 3), promotion, command(5_500, 3, { client: "fault" }))).toEqual([
      name,
    ]);
  });
});
