import { describe, expect, test } from "vitest";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import { deadGrants, validity } from "../../../../harness/checks/validity.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { blind, command, event, execution, fault, planOf, ready, runOf } from "./hand-written.ts";

const found = (events: HistoryEvent[]) => validity.check(runOf(events));
const set = (atMs: number, node = 1) => command(atMs, "SET k1 t1 NX PX 1000", { node });
const granted = (atMs: number) => execution({ worker: 1, acquire: [0, atMs, { token: "t1" }], release: [atMs + 100] });

describe("one node", () => {
  test("returned later than the receipt of the SET + TTL: dead, on the dot not yet", () => {
    expect(found([set(5), ...granted(1005)])).toEqual([]);
    const [finding] = found([set(5), ...granted(1006)]);
    expect(finding).toMatchObject({ class: "dead grant", count: 1 });
    expect(finding?.evidence.map(({ op, phase }) => `${op} ${phase}`)).toEqual([
      "acquire invoke",
      "trace info",
      "acquire ok",
    ]);
  });

  test("an extension before the return counts from its own receipt; without a trace nothing is said", () => {
    const renew = command(900, "PEXPIRE k1 1000", { by: "lua", scriptArgs: ["t1"] });
    expect(found([set(5), renew, ...granted(1500)])).toEqual([]);
    expect(found(granted(5000))).toEqual([]);
    expect(found([command(1, "SET k1 other NX PX 10"), ...granted(5000)])).toEqual([]);
  });

  test("an extension that was carried out before the return, and received after it, counts", () => {
    const renew = command(4900, "PEXPIRE k1 1000", { by: "lua", scriptArgs: ["t1"], serverMs: 900 });
    expect(found([set(5), renew, ...granted(1500)])).toEqual([]);
    expect(found([set(5), renew, ...granted(800)])).toEqual([]);
  });

  test("nothing is said of a grant while the node was not watched", () => {
    expect(found([set(5), blind(900, 100), ...granted(1500)])).toEqual([]);
    expect(found([set(5), ...granted(1500), blind(1700, 100)])).toHaveLength(1);
  });

  test("a clock fault of that node explains it", () => {
    const step = { name: "redis-clock", target: "node:1", lasts: false };
    expect(found([set(5), fault(100, "inject", step), ...granted(1500)])).toEqual([]);
    expect(found([set(5), fault(100, "inject", { ...step, target: "node:2" }), ...granted(1500)])).toHaveLength(1);
  });
});

describe("five nodes", () => {
  const five = ready(0, 1, { nodes: 5 });
  const sets = (...times: number[]) => times.map((atMs, index) => set(atMs, index + 1));

  test("dead on three of five is dead, on two it is not", () => {
    expect(found([five, ...sets(5, 5, 5, 400, 400), ...granted(1200)])).toHaveLength(1);
    expect(found([five, ...sets(5, 5, 400, 400, 400), ...granted(1200)])).toEqual([]);
  });

  test("a node that never got its SET counts like a dead one", () => {
    const unset = [4, 5].map((node) => command(5, "SET k1 other NX PX 9000", { node }));
    expect(found([five, ...sets(5, 400, 400), ...unset, ...granted(1200)])).toHaveLength(1);
    expect(found([five, ...sets(400, 400, 400), ...unset, ...granted(1200)])).toEqual([]);
  });
});

describe("a stop that the lock cannot see", () => {
  const stop = { name: "worker-stop", target: "worker:1" };
  const stopped = [fault(50, "inject", stop), fault(1400, "heal", stop)];

  test("begun after the last reply had been passed on, it is a figure and no finding", () => {
    const events = [set(5), ...stopped, ...granted(1500)];
    expect(found(events)).toEqual([]);
    const [grant] = deadGrants(indexRound(runOf(events).armRounds[0]!), planOf());
    expect(grant?.excusedBy?.name).toBe("worker-stop");
  });

  test("begun while the replies were still held back, the lock could have looked at the clock afterwards", () => {
    const held = { id: "f2", name: "delay-reply", target: "client:1-node:1" };
    const holding = [fault(1, "inject", held), fault(1390, "heal", held)];
    expect(found([set(5), ...holding, ...stopped, ...granted(1500)])).toHaveLength(1);
    const jitter = { id: "f2", name: "jitter", target: "node:1", params: { base: 0.2 } };
    expect(found([set(5), fault(0, "inject", jitter), ...stopped, ...granted(1500)])).toEqual([]);
  });

  test("the proxy's word on the last reply decides, where it is known", () => {
    const reply = (atMs: number) =>
      event([atMs, "trace", "info", { key: "k1", detail: { kind: "reply", node: 1, worker: 1, physicalKey: "k1" } }]);
    expect(found([set(5), reply(10), ...stopped, ...granted(1500)])).toEqual([]);
    expect(found([set(5), reply(60), ...stopped, ...granted(1500)])).toHaveLength(1);
  });

  test("a stop of another worker explains nothing", () => {
    const other = { name: "worker-stop", target: "worker:2" };
    expect(found([set(5), fault(50, "inject", other), fault(1400, "heal", other), ...granted(1500)])).toHaveLength(1);
  });
});

describe("a shorter lease than was asked for", () => {
  const grant = (extra: Partial<HistoryEvent> = {}) =>
    execution({ worker: 1, acquire: [0, 10, { token: "t1", ...extra }], release: [100] });
  const given = (text: string, over = {}) => command(5, `SET k1 t1 NX ${text}`, over);
  const shortened = (events: HistoryEvent[], plan = {}) =>
    validity.check(runOf(events, plan)).map((each) => each.class);

  test("whole seconds, rounded down; a small margin is none", () => {
    const [finding] = validity.check(runOf([given("EX 1"), ...grant()], { ttlMs: 1500 }));
    expect(finding).toMatchObject({ class: "short lease", count: 1 });
    expect(finding?.message).toBe(
      "Node 1 was given 1 s for k1; worker 1 had asked for 1.5 s, and believes to have it.",
    );
    expect(shortened([given("EX 2"), ...grant()], { ttlMs: 1500 })).toEqual([]);
    expect(shortened([given("PX 950"), ...grant()])).toEqual([]);
    expect(shortened([given("PX 800"), ...grant()])).toEqual(["short lease"]);
  });

  test("a library that names the end itself, renews by itself, or reckons by its own clock, asks for what it likes", () => {
    expect(shortened([given("PX 500"), ...grant({ validUntilMs: 500, wallMs: 10 })])).toEqual([]);
    expect(shortened([ready(0, 1, { renewal: "auto" }), given("PX 500"), ...grant()])).toEqual([]);
    expect(shortened([given("PXAT 505"), ...grant()])).toEqual([]);
  });

  test("of several commands the last before the return counts, and of several nodes the majority", () => {
    const later = command(8, "PEXPIRE k1 1000", { by: "lua", scriptArgs: ["t1"] });
    expect(shortened([given("PX 100"), later, ...grant()])).toEqual([]);
    const nodes = [given("PX 1000"), given("PX 500", { node: 2 }), given("PX 500", { node: 3 })];
    const quorum = ready(0, 1, { nodes: 3 });
    expect(shortened([quorum, ...nodes, ...grant()])).toEqual(["short lease"]);
    expect(shortened([quorum, ...nodes.slice(0, 2), ...grant()])).toEqual([]);
  });
});
