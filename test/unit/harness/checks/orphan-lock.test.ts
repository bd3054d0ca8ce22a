import { expect, test } from "vitest";
import { orphanLock } from "../../../../harness/checks/orphan-lock.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { command, execution, fault, milestone, polled, runOf } from "./hand-written.ts";

// TTL 1 s, and a second of margin for the servers' own lateness.
const found = (events: HistoryEvent[]) => orphanLock.check(runOf([...events, milestone(20_000, "drained")]));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);
const set = command(5, "SET k1 t1 NX PX 1000");
const renew = (atMs: number) => command(atMs, "PEXPIRE k1 1000", { by: "lua", scriptArgs: ["t1"] });
const holder = (releaseMs: number) =>
  execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [releaseMs, releaseMs + 1] });

test("a key that was set without a TTL by one who died before giving it one", () => {
  const [finding] = found([command(5, "SETNX k1 t1"), polled(3000, "t1", -1)]);
  expect(finding).toMatchObject({ class: "no TTL", count: 1 });
  expect(finding?.message).toContain("although nobody believed to hold it, and it has no TTL");
});

test("a key that something goes on renewing after the hold was over", () => {
  expect(classes([set, ...holder(500), renew(900), renew(1700), renew(2600)])).toEqual(["kept alive"]);
});

test("renewed while its holder believes: nothing to find", () => {
  expect(classes([set, ...holder(5000), renew(900), renew(1800), renew(2700), renew(3600), renew(4500)])).toEqual([]);
});

test("up to its TTL and a second after the last believer, a key is no orphan", () => {
  expect(classes([set, ...holder(500), renew(600), polled(2500, "t1", 1)])).toEqual([]);
  expect(classes([set, ...holder(500), renew(600), polled(2501, "t1", 1)])).toEqual(["kept alive"]);
});

test("what is received late may have been seen in time", () => {
  const late = command(2400, "SET k9 x NX PX 1000", { key: "k9", serverMs: 1900 });
  expect(classes([set, ...holder(500), late, renew(600), polled(3000, "t1", 1)])).toEqual([]);
  expect(classes([set, ...holder(500), late, renew(600), polled(3001, "t1", 1)])).toEqual(["kept alive"]);
});

test("deleted in time, or expired by itself", () => {
  expect(classes([set, ...holder(500), command(500, "DEL k1", { by: "lua", scriptArgs: ["t1"] })])).toEqual([]);
  expect(classes([set, ...execution({ worker: 1, acquire: [0, 10] }), polled(3000, null, -2)])).toEqual([]);
});

test("a server that stands still cannot expire anything", () => {
  const pause = { name: "redis-pause", target: "node:1" };
  const events = [set, ...holder(500), polled(3000, "t1", 1)];
  expect(classes(events)).toEqual(["kept alive"]);
  expect(classes([...events, fault(600, "inject", pause), fault(2900, "heal", pause)])).toEqual([]);
  const other = { name: "redis-pause", target: "node:2" };
  expect(classes([...events, fault(600, "inject", other), fault(2900, "heal", other)])).toEqual(["kept alive"]);
});
