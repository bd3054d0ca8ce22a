import { describe, expect, test } from "vitest";
import { exclusion } from "../../../../harness/checks/exclusion.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { event, execution, fault, runOf, worker } from "./hand-written.ts";

const found = (events: HistoryEvent[], plan = {}) => exclusion.check(runOf(events, plan));
const classes = (events: HistoryEvent[], plan = {}) => found(events, plan).map((finding) => finding.class);

describe("overlap", () => {
  test("two holds inside their promises: a broken promise, proven by the two grants and the first end", () => {
    const [finding, ...more] = found([
      ...execution({ worker: 1, acquire: [0, 10], release: [500, 510] }),
      ...execution({ worker: 2, attempt: 2, acquire: [90, 100], release: [300, 310] }),
    ]);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ check: "exclusion", class: "broken promise", arm: "set-nx", count: 1 });
    expect(finding?.message).toContain("worker 1 and worker 2 both held k1 for 200 ms");
    expect(finding?.evidence.map(({ op, phase, worker, atNs }) => [op, phase, worker, atNs / 1e6])).toEqual([
      ["acquire", "invoke", 1, 0],
      ["acquire", "ok", 1, 10],
      ["acquire", "ok", 2, 100],
      ["release", "invoke", 2, 300],
    ]);
    expect(finding?.evidence.every(({ note }) => note)).toBe(true);
  });

  test("a grant at the very moment of the release call does not overlap; a nanosecond before, it does", () => {
    const first = execution({ worker: 1, acquire: [0, 10], release: [500, 510] });
    expect(classes([...first, ...execution({ worker: 2, acquire: [400, 500], release: [600, 610] })])).toEqual([]);
    expect(classes([...first, ...execution({ worker: 2, acquire: [400, 499.999999], release: [600] })])).toEqual([
      "broken promise",
    ]);
  });

  test("a release is believed from its call on: its slow answer does not matter", () => {
    const slow = execution({ worker: 1, acquire: [0, 10], release: [100, 900] });
    expect(classes([...slow, ...execution({ worker: 2, acquire: [110, 120], release: [130] })])).toEqual([]);
  });

  test("different keys, and refused or indeterminate acquires, hold nothing", () => {
    const holds = execution({ worker: 1, acquire: [0, 10], release: [500] });
    const other = execution({ worker: 2, key: "k2", acquire: [0, 10], release: [500] });
    const timedOut = execution({ worker: 3, attempt: 3, acquire: [20, 120, { outcome: "indeterminate" }] });
    const unknown = timedOut.map((event): HistoryEvent => (event.phase === "ok" ? { ...event, phase: "info" } : event));
    const refused = timedOut.map((event): HistoryEvent => (event.phase === "ok" ? { ...event, phase: "fail" } : event));
    expect(classes([...holds, ...other, ...unknown, ...refused])).toEqual([]);
  });

  test("executions of one process exclude each other too", () => {
    const [finding] = found([
      ...execution({ worker: 1, attempt: 1, acquire: [0, 10], release: [500] }),
      ...execution({ worker: 1, attempt: 2, acquire: [90, 100], release: [300] }),
    ]);
    expect(finding?.class).toBe("broken promise");
    expect(finding?.message).toContain("Two executions of worker 1 both held k1");
  });

  test("a control is never a finding", () => {
    const events = [
      ...execution({ worker: 1, acquire: [0, 10], release: [500] }),
      ...execution({ worker: 2, attempt: 2, acquire: [90, 100], release: [300] }),
    ];
    expect(exclusion.check(runOf(events, {}, "none"))).toEqual([]);
  });

  test("every overlapping pair counts; the longest is shown", () => {
    const [finding] = found([
      ...execution({ worker: 1, attempt: 1, acquire: [0, 10], release: [900] }),
      ...execution({ worker: 2, attempt: 2, acquire: [90, 100], release: [200] }),
      ...execution({ worker: 3, attempt: 3, acquire: [140, 150], release: [800] }),
    ]);
    expect(finding?.count).toBe(3);
    expect(finding?.evidence.find(({ phase, atNs }) => phase === "ok" && atNs > 10e6)?.worker).toBe(3);
  });
});

describe("expired hold", () => {
  const overrun = execution({ worker: 1, acquire: [0, 10], release: [1500] });

  test("without validUntil the promise is the call of acquire + TTL: on the dot it has ended", () => {
    expect(classes([...overrun, ...execution({ worker: 2, acquire: [990, 1000], release: [1100] })])).toEqual([
      "expired hold",
    ]);
    expect(classes([...overrun, ...execution({ worker: 2, acquire: [990, 999.999999], release: [1100] })])).toEqual([
      "broken promise",
    ]);
  });

  test("an extension that succeeded moves the promise, counted from its call", () => {
    const extended = execution({ worker: 1, acquire: [0, 10], extend: [[800, 850]], release: [2500] });
    expect(classes([...extended, ...execution({ worker: 2, acquire: [1700, 1799], release: [1900] })])).toEqual([
      "broken promise",
    ]);
    expect(classes([...extended, ...execution({ worker: 2, acquire: [1700, 1801], release: [1900] })])).toEqual([
      "expired hold",
    ]);
  });

  test("an extension that failed, or that returns only after the overlap began, does not", () => {
    const failed = execution({ worker: 1, acquire: [0, 10], extend: [[800, 850]], release: [2500] }).map(
      (event): HistoryEvent => (event.op === "extend" && event.phase === "ok" ? { ...event, phase: "fail" } : event),
    );
    const late = execution({ worker: 1, acquire: [0, 10], extend: [[800, 1300]], release: [2500] });
    const other = execution({ worker: 2, acquire: [1100, 1200], release: [1900] });
    expect(classes([...failed, ...other])).toEqual(["expired hold"]);
    expect(classes([...late, ...other])).toEqual(["expired hold"]);
  });

  test("validUntil is laid on the monotonic clock when the grant returns, whatever the worker's clock says later", () => {
    // The clock of worker 1 is an hour off; its library claims 400 ms from the return of the grant.
    const claims = { wallMs: 3_600_000, validUntilMs: 3_600_400 };
    const holder = execution({ worker: 1, acquire: [0, 10, claims], release: [900] });
    expect(classes([...holder, ...execution({ worker: 2, acquire: [300, 409], release: [500] })])).toEqual([
      "broken promise",
    ]);
    expect(classes([...holder, ...execution({ worker: 2, acquire: [300, 410], release: [500] })])).toEqual([
      "expired hold",
    ]);
  });

  test("a grant that returns past its own promise is the expired one", () => {
    const [finding] = found([
      ...execution({ worker: 1, acquire: [0, 1400], release: [1800] }),
      ...execution({ worker: 2, attempt: 2, acquire: [1100, 1150], release: [1700] }),
    ]);
    expect(finding?.class).toBe("expired hold");
    expect(finding?.message).toContain("the promise to worker 1 had ended 400 ms before");
  });

  test("a process that stands still can neither renew nor tell: not the library's fault", () => {
    const ready = worker(0, "ready", { worker: 1, detail: { capabilities: { renewal: "auto" } } });
    const first = execution({ worker: 1, acquire: [0, 10], release: [3000] });
    const second = (grantedMs: number) => execution({ worker: 2, acquire: [1200, grantedMs], release: [4000] });
    const still = (target: string, fromMs: number) => [
      fault(fromMs, "inject", { name: "worker-stop", target }),
      fault(2500, "heal", { name: "worker-stop", target }),
    ];
    const [finding] = found([ready, ...first, ...second(1300), ...still("worker:1", 100)]);
    expect(finding).toMatchObject({ class: "expired hold" });
    expect(finding?.message).toContain("the promise to worker 1 had ended 1.2 s before");
    expect(classes([ready, ...first, ...second(1300), ...still("worker:2", 100)])).toEqual(["broken promise"]);
    // It had been awake for long, and had not been told.
    expect(classes([ready, ...first, ...second(2700), ...still("worker:1", 100)])).toEqual(["broken promise"]);
  });

  test("under automatic renewal the promise lasts until the lost signal, which also ends the belief", () => {
    const ready = worker(0, "ready", { worker: 1, detail: { capabilities: { renewal: "auto" } } });
    const other = execution({ worker: 2, acquire: [1900, 2000], release: [2100] });
    const told = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [2500] });
    // The signal comes from the library, which knows of tokens and of no executions.
    told.push(event([1950, "lost", "info", { worker: 1, incarnation: 1, key: "k1", token: "t1" }]));
    const untold = execution({ worker: 1, acquire: [0, 10], release: [2500] });
    expect(classes([ready, ...told, ...other])).toEqual([]);
    expect(classes([ready, ...untold, ...other])).toEqual(["broken promise"]);
  });
});

describe("broken assumption", () => {
  const pair = [
    ...execution({ worker: 1, acquire: [0, 10], release: [500] }),
    ...execution({ worker: 2, attempt: 2, acquire: [290, 300], release: [400] }),
  ];

  test.each([
    ["redis-clock", "server clock step"],
    ["redis-kill", "amnesia"],
    ["redis-failover", "failover"],
    ["redis-flush", "flush"],
    ["redis-eviction", "eviction"],
  ])("%s between the first acquire and the overlap is named: %s", (name, label) => {
    const [finding] = found([...pair, fault(100, "inject", { name, target: "node:1", lasts: false })]);
    expect(finding).toMatchObject({ class: "broken assumption" });
    expect(finding?.message).toContain(label);
    expect(finding?.evidence.some(({ op }) => op === "fault")).toBe(true);
  });

  test("before the first acquire or after the overlap began it explains nothing", () => {
    for (const atMs of [-5, 301]) {
      const flush = fault(atMs, "inject", { name: "redis-flush", target: "node:1", lasts: false });
      expect(classes([...pair, flush])).toEqual(["broken promise"]);
    }
  });

  test("a step of a holder's clock counts, at its coming and its healing; that of a bystander does not", () => {
    const clock = (target: string) => ({ name: "worker-clock", target });
    expect(classes([...pair, fault(100, "inject", clock("worker:1"))])).toEqual(["broken assumption"]);
    expect(classes([...pair, fault(-10, "inject", clock("worker:2")), fault(200, "heal", clock("worker:2"))])).toEqual([
      "broken assumption",
    ]);
    expect(classes([...pair, fault(100, "inject", clock("worker:3"))])).toEqual(["broken promise"]);
  });

  test("an offset that was there all along is no step; a clock that runs fast moves all the time", () => {
    expect(classes([...pair, fault(-10, "inject", { name: "worker-clock", target: "worker:1" })])).toEqual([
      "broken promise",
    ]);
    const fast = { name: "worker-clock", target: "worker:1", params: { speed: 10 } };
    expect(classes([...pair, fault(-10, "inject", fast)])).toEqual(["broken assumption"]);
  });

  test("a step of its worker's clock can hide the end of a promise that the library reckons by that clock, and of no other", () => {
    const clock = fault(500, "inject", { name: "worker-clock", target: "worker:1" });
    const other = execution({ worker: 2, attempt: 2, acquire: [1100, 1200], release: [1300] });
    const reckoned = execution({ worker: 1, acquire: [0, 10, { wallMs: 0, validUntilMs: 990 }], release: [1500] });
    expect(classes([...reckoned, ...other, clock])).toEqual(["broken assumption"]);
    expect(classes([...execution({ worker: 1, acquire: [0, 10], release: [1500] }), ...other, clock])).toEqual([
      "expired hold",
    ]);
  });

  test("pauses and stops take away nothing that a lock may rely on", () => {
    const stop = { name: "worker-stop", target: "worker:1" };
    expect(classes([...pair, fault(100, "inject", stop), fault(200, "heal", stop)])).toEqual(["broken promise"]);
  });

  test("past its promise a hold is expired, whatever befell the server", () => {
    const flush = fault(100, "inject", { name: "redis-flush", target: "node:1", lasts: false });
    const overrun = execution({ worker: 1, acquire: [0, 10], release: [1500] });
    const other = execution({ worker: 2, attempt: 2, acquire: [1100, 1200], release: [1300] });
    expect(classes([...overrun, ...other, flush])).toEqual(["expired hold"]);
  });
});

describe("the end of a belief", () => {
  const next = execution({ worker: 2, attempt: 2, acquire: [390, 400], release: [500] });

  const kill = fault(300, "inject", { name: "worker-kill", target: "worker:1" });

  test("a planned kill ends it before its signal, even if the worker still wrote something", () => {
    const died = worker(450, "killed", { worker: 1 });
    const holder = execution({ worker: 1, acquire: [0, 10], effect: [350] });
    expect(classes([...holder, kill, died, ...next])).toEqual([]);
    const late = execution({ worker: 1, acquire: [0, 10], effect: [350], release: [430] });
    expect(classes([...late, kill, died, ...next])).toEqual([]);
    expect(classes([...late, died, ...next])).toEqual(["broken promise"]);
  });

  test("a termination that ended in a kill ends it at the last recorded event", () => {
    const died = worker(450, "killed", { worker: 1 });
    expect(classes([...execution({ worker: 1, acquire: [0, 10], effect: [399] }), died, ...next])).toEqual([]);
    expect(classes([...execution({ worker: 1, acquire: [0, 10], effect: [401] }), died, ...next])).toEqual([
      "broken promise",
    ]);
  });

  test("an unplanned death ends it at the last recorded event", () => {
    const crash = worker(600, "crashed", { worker: 1 });
    expect(classes([...execution({ worker: 1, acquire: [0, 10], effect: [350] }), crash, ...next])).toEqual([]);
    expect(classes([...execution({ worker: 1, acquire: [0, 10], effect: [401] }), crash, ...next])).toEqual([
      "broken promise",
    ]);
  });

  test("an execution that gave up on its acknowledgement no longer holds, though it never released", () => {
    const gaveUp = execution({ worker: 1, acquire: [0, 10], ack: [100], ackUnknown: 1000 });
    expect(classes([...gaveUp, ...execution({ worker: 2, acquire: [1090, 1100], release: [1200] })])).toEqual([]);
  });

  test("a stopped worker believes all through its stop", () => {
    const stop = { name: "worker-stop", target: "worker:1" };
    const stopped = execution({ worker: 1, acquire: [0, 10], effect: [1600, 1601], release: [1610] });
    const other = execution({ worker: 2, attempt: 2, acquire: [1090, 1100], release: [1300] });
    expect(classes([...stopped, fault(20, "inject", stop), fault(1520, "heal", stop), ...other])).toEqual([
      "expired hold",
    ]);
  });

  test("a hold without an end lasts to the end of the round", () => {
    expect(classes([...execution({ worker: 1, acquire: [0, 10] }), ...next])).toEqual(["broken promise"]);
  });
});
