import { expect, test } from "vitest";
import { lateEffects } from "../../../../harness/checks/late-effects.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { command, execution, fault, ready, runOf, witnessed } from "./hand-written.ts";

const found = (events: HistoryEvent[]) => lateEffects.check(runOf([...events, witnessed(9000, "j1/1@1.1")]));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);
const effectAt = (atMs: number) =>
  execution({ worker: 1, acquire: [0, 10], effect: [atMs, atMs + 1], release: [atMs + 5] });

test("an effect sent when the promised time is over: on the dot it is late, a nanosecond before it is not", () => {
  expect(classes(effectAt(999.999999))).toEqual([]);
  const [finding] = found(effectAt(1000));
  expect(finding).toMatchObject({ class: "after the promise", count: 1 });
  expect(finding?.evidence.map(({ op, phase }) => `${op} ${phase}`)).toEqual([
    "acquire invoke",
    "acquire ok",
    "effect invoke",
  ]);
});

test("an extension that returned before the effect moves the promise", () => {
  const extended = execution({
    worker: 1,
    acquire: [0, 10],
    extend: [[800, 810]],
    effect: [1500, 1501],
    release: [1510],
  });
  expect(classes(extended)).toEqual([]);
});

test("after a lost signal, also inside the promise; before it, not", () => {
  expect(classes(execution({ worker: 1, acquire: [0, 10], lost: 100, effect: [200, 201] }))).toEqual([
    "after a lost signal",
  ]);
  expect(classes(execution({ worker: 1, acquire: [0, 10], effect: [90, 91], lost: 100 }))).toEqual([]);
});

test("after a stop longer than the TTL, even under a lock that renews by itself and knows of nothing", () => {
  const stop = { name: "worker-stop", target: "worker:1" };
  const stopped = (forMs: number) => [
    ready(0, 1, { renewal: "auto" }),
    ...execution({ worker: 1, acquire: [0, 10], effect: [2000, 2001], release: [2010] }),
    fault(100, "inject", stop),
    fault(100 + forMs, "heal", stop),
  ];
  expect(classes(stopped(1001))).toEqual(["after a long stop"]);
  expect(classes(stopped(1000))).toEqual([]);
});

test("a stop of another worker, or one that began before the grant and left less than the TTL, does not count", () => {
  const events = (target: string, fromMs: number) => [
    ready(0, 1, { renewal: "auto" }),
    ...execution({ worker: 1, acquire: [0, 500], effect: [1700, 1701] }),
    fault(fromMs, "inject", { name: "worker-stop", target }),
    fault(1450, "heal", { name: "worker-stop", target }),
  ];
  expect(classes(events("worker:2", 510))).toEqual([]);
  expect(classes(events("worker:1", 100))).toEqual([]);
});

test("an effect that the witness fenced off did no harm", () => {
  const late = execution({ worker: 1, acquire: [0, 10], effect: [2000, 2001] });
  expect(lateEffects.check(runOf([...late, witnessed(9000, "j1/1@1.1", { outcome: "fenced" })]))).toEqual([]);
});

test("a hold that lasts as long as its holder's connection outlasts any stop", () => {
  const stop = { name: "worker-stop", target: "worker:1" };
  const events = [
    ready(0, 1, { renewal: "auto", lease: "connection" }),
    ...execution({ worker: 1, acquire: [0, 10], effect: [9000, 9001], release: [9010] }),
    fault(100, "inject", stop),
    fault(8900, "heal", stop),
  ];
  expect(classes(events)).toEqual([]);
});

test("a server that was slow to take the command keeps the key for longer: while it stands, no effect is late", () => {
  const hold = (atMs: number) =>
    execution({ worker: 1, acquire: [0, 800, { token: "t1" }], effect: [atMs, atMs + 1], release: [atMs + 5] });
  const set = command(790, "SET k1 t1 NX PX 1000");
  expect(classes([...hold(1700), set])).toEqual([]);
  expect(classes([...hold(1795), set])).toEqual(["after the promise"]);
  expect(classes([...hold(1700), set, command(1200, "DEL k1")])).toEqual(["after the promise"]);
  const promised = execution({
    worker: 1,
    acquire: [0, 800, { token: "t1", validUntilMs: 1000, wallMs: 800 }],
    effect: [1700, 1701],
    release: [1705],
  });
  expect(classes([...promised, set])).toEqual(["after the promise"]);
  const minority = [ready(0, 1, { nodes: 3 }), command(10, "SET k1 t1 NX PX 1000", { node: 2 })];
  expect(classes([...minority, ...hold(1700), set])).toEqual(["after the promise"]);
});
