import { describe, expect, test } from "vitest";
import { fencing } from "../../../../harness/checks/fencing.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { command, execution, fault, runOf, witnessed } from "./hand-written.ts";

const found = (events: HistoryEvent[], plan = {}) => fencing.check(runOf(events, plan));
const classes = (events: HistoryEvent[], plan = {}) => found(events, plan).map((finding) => finding.class);
const grant = (worker: number, acquire: [number, number], fencingToken: number, rest = {}) =>
  execution({
    worker,
    job: `w${worker}`,
    acquire: [...acquire, { fencingToken, token: `t${worker}` }],
    ...rest,
  });

test("locks without tokens are not judged", () => {
  expect(classes(execution({ worker: 1, acquire: [0, 10], release: [20] }))).toEqual([]);
});

test("(a) the same token twice", () => {
  expect(classes([...grant(1, [0, 10], 7, { release: [20] }), ...grant(2, [30, 40], 7)])).toEqual(["token not unique"]);
});

describe("(b) tokens rise with the grants in real time", () => {
  test("a later grant with a lower token, named after the fault that explains it", () => {
    const flush = fault(25, "inject", { name: "redis-flush", target: "node:1", lasts: false });
    const [finding] = found([...grant(1, [0, 10], 7, { release: [20] }), flush, ...grant(2, [30, 40], 1)]);
    expect(finding).toMatchObject({ class: "token went backwards", count: 1 });
    expect(finding?.message).toContain("token 1 after it had been granted with 7, after a flush");
  });

  test("acquires at the same time may get their tokens in any order; called exactly at the return too", () => {
    expect(classes([...grant(1, [0, 50], 7), ...grant(2, [40, 60], 6)])).toEqual([]);
    expect(classes([...grant(1, [0, 40], 7), ...grant(2, [40, 60], 6)])).toEqual([]);
    expect(classes([...grant(1, [0, 40], 7), ...grant(2, [40.000001, 60], 6)])).toEqual(["token went backwards"]);
  });

  test("it is the highest token before that counts, not the last", () => {
    const events = [...grant(1, [0, 10], 9), ...grant(2, [1, 12], 5), ...grant(3, [20, 30], 7)];
    expect(classes(events)).toEqual(["token went backwards"]);
  });
});

test("(c) tokens follow the order in which the key's owner changed at the server", () => {
  const acquires = [...grant(1, [0, 50], 2, { release: [60] }), ...grant(2, [40, 90], 1)];
  const inOrder = (first: string, second: string) => [
    command(41, `SET k1 ${first} NX PX 1000`),
    command(45, "DEL k1", { by: "lua", scriptArgs: [first] }),
    command(46, `SET k1 ${second} NX PX 1000`),
  ];
  expect(classes([...acquires, ...inOrder("t1", "t2")])).toEqual(["token out of order"]);
  expect(classes([...acquires, ...inOrder("t2", "t1")])).toEqual([]);
});

describe("(d) the owner is not shut out", () => {
  const old = grant(1, [0, 10], 9, { effect: [20, 21], release: [30, 31] });
  const owner = grant(2, [40, 50], 3, { effect: [60, 61] });
  const entries = (key = "k1") => [
    witnessed(9000, "w1/1@1.1", { key, fencingToken: 9 }),
    witnessed(9001, "w2/1@2.1", { key, fencingToken: 3, outcome: "fenced" }),
  ];

  test("its write inside its lease is refused by the token of a hold that is over", () => {
    expect(classes([...old, ...owner, ...entries()]).sort()).toEqual(["owner refused", "token went backwards"]);
  });

  test("one who is late is rightly refused", () => {
    const newer = grant(2, [1100, 1110], 9, { effect: [1120, 1121], release: [1130] });
    const late = grant(1, [0, 10], 3, { effect: [1500, 1501] });
    const fenced = [
      witnessed(9000, "w2/1@2.1", { key: "k1" }),
      witnessed(9001, "w1/1@1.1", { key: "k1", outcome: "fenced" }),
    ];
    expect(classes([...newer, ...late, ...fenced])).toEqual([]);
  });
});

describe("(e) with enforcement off", () => {
  const late = [...grant(1, [0, 10], 3, { effect: [1500, 1501] }), ...grant(2, [1100, 1110], 9)];
  const entry = witnessed(9000, "w1/1@1.1", { key: "k1", fencingToken: 3 });

  test("a write with a lower token is accepted after a higher one was granted", () => {
    expect(classes([...late, entry], { fencing: "off" })).toEqual(["late write accepted"]);
    expect(classes([...late, entry], { fencing: "on" })).toEqual([]);
  });

  test("a write that was sent before the higher grant returned is not late", () => {
    const intime = [...grant(1, [0, 10], 3, { effect: [1109, 1200] }), ...grant(2, [1100, 1110], 9)];
    expect(classes([...intime, entry], { fencing: "off" })).toEqual([]);
  });
});
