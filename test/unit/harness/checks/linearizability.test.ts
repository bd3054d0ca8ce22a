import { describe, expect, test } from "vitest";
import { linearizability } from "../../../../harness/checks/linearizability.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { attempt, event, execution, fault, ready, runOf, worker } from "./hand-written.ts";

const found = (events: HistoryEvent[]) => linearizability.check(runOf(events));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);
const held = execution({ worker: 1, job: "a", acquire: [0, 10], release: [500, 510] });
const failed = (events: HistoryEvent[], op: string, outcome: string) =>
  events.map(
    (each): HistoryEvent => (each.op === op && each.phase === "ok" ? { ...each, phase: "fail", outcome } : each),
  );

describe("grants", () => {
  test("while held, before the hold could expire: a finding with both grants", () => {
    const [finding] = found([...held, ...execution({ worker: 2, acquire: [90, 100], release: [300, 310] })]);
    expect(finding).toMatchObject({ class: "granted while held", count: 1 });
    expect(finding?.evidence.map(({ op, phase, worker }) => `${op} ${phase} ${worker}`)).toEqual([
      "acquire invoke 1",
      "acquire ok 1",
      "acquire invoke 2",
      "acquire ok 2",
    ]);
  });

  test("what stands for a lock that something else decides on, such as a queue's, says nothing by its answers", () => {
    const both = [...held, ...execution({ worker: 2, acquire: [90, 100], release: [300, 310] })];
    expect(classes([ready(0, 1, { decides: true }), ...both])).toEqual(["granted while held"]);
    expect(classes([ready(0, 1, { decides: false }), ...both])).toEqual([]);
  });

  test("from the call of the release on, and from the TTL on, the key may be free", () => {
    expect(classes([...held, ...execution({ worker: 2, acquire: [490, 500], release: [600, 610] })])).toEqual([]);
    const overrun = execution({ worker: 1, job: "a", acquire: [0, 10], effect: [1500, 1501] });
    expect(classes([...overrun, ...execution({ worker: 2, acquire: [990, 1000] })])).toEqual([]);
    expect(classes([...overrun, ...execution({ worker: 2, acquire: [980, 999] })])).toEqual(["granted while held"]);
  });

  test("an extension moves the expiry, from its call", () => {
    const extended = execution({ worker: 1, job: "a", acquire: [0, 10], extend: [[700, 710]] });
    expect(classes([...extended, ...execution({ worker: 2, acquire: [1600, 1699] })])).toEqual(["granted while held"]);
    expect(classes([...extended, ...execution({ worker: 2, acquire: [1600, 1700] })])).toEqual([]);
  });

  test("violations under a fault that breaks an assumption carry its name", () => {
    const flush = fault(50, "inject", { name: "redis-flush", target: "node:1", lasts: false });
    const [finding] = found([...held, flush, ...execution({ worker: 2, acquire: [90, 100] })]);
    expect(finding?.message).toContain("A flush had come in between");
  });
});

describe("releases", () => {
  test("that succeed without the hold: another was granted the key meanwhile and has it still", () => {
    const overrun = execution({ worker: 1, job: "a", acquire: [0, 10], release: [1500, 1510] });
    const other = execution({ worker: 2, acquire: [1090, 1100], release: [1900, 1910] });
    expect(classes([...overrun, ...other])).toEqual(["released without holding"]);
    expect(classes([...failed(overrun, "release", "not-owner"), ...other])).toEqual([]);
  });

  test("told not to be the owner while nothing could have taken the hold away", () => {
    expect(classes(failed(held, "release", "not-owner"))).toEqual(["owner told it is not"]);
    const late = execution({ worker: 1, acquire: [0, 10], release: [1001, 1010] });
    expect(classes(failed(late, "release", "not-owner"))).toEqual([]);
  });

  test("of which nobody knows may free the key later, or never", () => {
    const unknown = execution({ worker: 1, job: "a", acquire: [0, 10], release: [100] });
    const info = event([
      300,
      "release",
      "info",
      { worker: 1, incarnation: 1, key: "k1", job: "a", execution: "a/1@1.1", outcome: "unknown" },
    ]);
    expect(classes([...unknown, info, ...execution({ worker: 2, acquire: [390, 400] })])).toEqual([]);
    expect(classes([...unknown, info, ...attempt(2, [390, 400])])).toEqual([]);
  });
});

describe("refusals", () => {
  test("are legal while the key is held, and no longer once it was released", () => {
    expect(classes([...held, ...attempt(2, [100, 101])])).toEqual([]);
    const [finding] = found([...held, ...attempt(2, [600, 601])]);
    expect(finding).toMatchObject({ class: "refused while free" });
    expect(finding?.evidence.map(({ op, phase }) => `${op} ${phase}`)).toEqual([
      "release ok",
      "acquire invoke",
      "acquire fail",
    ]);
  });

  test("by a hold of one's own that nobody knows of: the reply was lost, not the command", () => {
    const lost = attempt(1, [0, 50], { outcome: "indeterminate", job: "a" });
    expect(classes([...lost, ...attempt(2, [100, 101]), ...attempt(2, [900, 901], { attempt: 2 })])).toEqual([]);
    expect(classes(attempt(1, [100, 101]))).toEqual(["refused while free"]);
  });

  test("a quorum may refuse everyone, and a lock may have a reason of its own", () => {
    expect(classes([ready(0, 1, { nodes: 5 }), ...attempt(1, [100, 101])])).toEqual([]);
    expect(classes(attempt(1, [100, 101], { reason: "circuit open" }))).toEqual([]);
  });

  test("an expiry need not happen at the TTL: a refusal after it is legal", () => {
    expect(classes([...execution({ worker: 1, job: "a", acquire: [0, 10] }), ...attempt(2, [5000, 5001])])).toEqual([]);
  });
});

describe("a hold that lasts as long as its holder's connection", () => {
  const byConnection = ready(0, 1, { renewal: "auto", lease: "connection" });
  const first = execution({ worker: 1, job: "a", acquire: [0, 10], effect: [100, 101] });
  const second = execution({ worker: 2, acquire: [290, 300] });

  test("does not end at its TTL while its process lives", () => {
    const late = execution({ worker: 2, acquire: [2900, 2910] });
    expect(classes([byConnection, ...first, ...late])).toHaveLength(1);
    expect(classes([...first, ...late])).toEqual([]);
  });

  test("ends with its process, before its TTL", () => {
    const death = worker(200, "killed", { worker: 1 });
    expect(classes([byConnection, ...first, death, ...second])).toEqual([]);
    expect(classes([...first, death, ...second])).toHaveLength(1);
  });
});
