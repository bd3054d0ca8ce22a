import { describe, expect, test } from "vitest";
import { duplicates, duplicatesOf } from "../../../../harness/checks/duplicates.ts";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { execution, fault, runOf, witnessed, worker } from "./hand-written.ts";

const found = (events: HistoryEvent[]) => duplicates.check(runOf(events));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);
const both = [witnessed(5000, "j1/1@1.1"), witnessed(5001, "j1/2@2.1")];

test("two executions that worked at the same time: concurrent, proven by beginnings and effects", () => {
  const [finding] = found([
    ...execution({ worker: 1, acquire: [0, 10], effect: [700, 701], release: [710] }),
    ...execution({ worker: 2, attempt: 2, acquire: [600, 610], effect: [900, 901], release: [910] }),
    ...both,
  ]);
  expect(finding).toMatchObject({ class: "concurrent", count: 1, arm: "set-nx" });
  expect(finding?.inherent).toBeUndefined();
  expect(finding?.evidence.map(({ op, worker, atNs }) => [op, worker, atNs / 1e6])).toEqual([
    ["acquire", 1, 10],
    ["acquire", 2, 610],
    ["effect", 1, 700],
    ["effect", 1, 701],
    ["effect", 2, 900],
    ["effect", 2, 901],
  ]);
});

test("beginning exactly when the first effect returned is sequential; a nanosecond before is concurrent", () => {
  const first = execution({ worker: 1, acquire: [0, 10], effect: [700, 701], ack: [702, 703], release: [710] });
  const second = (atMs: number) => execution({ worker: 2, attempt: 2, acquire: [600, atMs], effect: [900, 901] });
  expect(classes([...first, ...second(701), ...both])).toEqual(["sequential"]);
  expect(classes([...first, ...second(700.999999), ...both])).toEqual(["concurrent"]);
});

test("an effect that a client sent twice counts once; so does a job with one effect and one delivery more", () => {
  const events = [
    ...execution({ worker: 1, acquire: [0, 10], effect: [100, 101] }),
    ...execution({ worker: 2, attempt: 2, acquire: [200, 210] }),
  ];
  expect(classes([...events, witnessed(5000, "j1/1@1.1"), witnessed(5001, "j1/1@1.1")])).toEqual([]);
});

test("the witness's log is the truth: what it refused did not happen, what it let through did", () => {
  const events = [
    ...execution({ worker: 1, acquire: [0, 10], effect: [100, 101] }),
    ...execution({ worker: 2, attempt: 2, acquire: [200, 210], effect: [300, 301] }),
  ];
  const second = (outcome: string) => witnessed(5001, "j1/2@2.1", { outcome });
  expect(classes([...events, witnessed(5000, "j1/1@1.1"), second("fenced")])).toEqual([]);
  expect(classes([...events, witnessed(5000, "j1/1@1.1"), second("would-refuse")])).toEqual(["sequential"]);
});

test("an effect counts even if its worker's journal was lost", () => {
  expect(classes(both)).toEqual(["sequential"]);
});

test("before the witness was read, what workers were told counts", () => {
  expect(
    classes([
      ...execution({ worker: 1, acquire: [0, 10], effect: [100, 101] }),
      ...execution({ worker: 2, attempt: 2, acquire: [200, 210], effect: [300, 301] }),
      ...execution({ worker: 3, attempt: 3, acquire: [400, 410], effect: [500] }),
    ]),
  ).toEqual(["sequential"]);
});

describe("inherent", () => {
  const second = execution({ worker: 2, attempt: 2, acquire: [1600, 1610], effect: [1700, 1701], ack: [1702, 1703] });

  test("after a planned kill before the acknowledgement: shown, but no failure", () => {
    const first = execution({ worker: 1, acquire: [0, 10], effect: [100, 101] });
    const [finding] = found([...first, worker(102, "killed", { worker: 1 }), ...second, ...both]);
    expect(finding).toMatchObject({ class: "inherent", inherent: true });
    expect(finding?.evidence.some(({ outcome }) => outcome === "killed")).toBe(true);
  });

  test("after an acknowledgement of which nobody knows", () => {
    const first = execution({ worker: 1, acquire: [0, 10], effect: [100, 101], ack: [102], ackUnknown: 1000 });
    expect(classes([...first, ...second, ...both])).toEqual(["inherent"]);
  });

  test("not after an unplanned crash, nor when the acknowledgement was confirmed before the kill", () => {
    const first = execution({ worker: 1, acquire: [0, 10], effect: [100, 101] });
    expect(classes([...first, worker(102, "crashed", { worker: 1 }), ...second, ...both])).toEqual(["sequential"]);
    const confirmed = execution({ worker: 1, acquire: [0, 10], effect: [100, 101], ack: [102, 103] });
    expect(classes([...confirmed, worker(104, "killed", { worker: 1 }), ...second, ...both])).toEqual(["sequential"]);
  });

  test("an error on the way to a confirmed acknowledgement is not unknown", () => {
    const first = execution({ worker: 1, acquire: [0, 10], effect: [100, 101], ack: [102, 300] });
    const hiccup: HistoryEvent = {
      ...first.find(({ op }) => op === "ack")!,
      phase: "info",
      atNs: 200e6,
      error: "reset",
    };
    expect(classes([...first, hiccup, ...second, ...both])).toEqual(["sequential"]);
  });

  test("each execution more needs its own excuse", () => {
    const first = execution({ worker: 1, acquire: [0, 10], effect: [100, 101] });
    const third = execution({ worker: 3, attempt: 3, acquire: [2000, 2010], effect: [2100, 2101] });
    const all = [...both, witnessed(5002, "j1/3@3.1")];
    const [finding] = found([...first, worker(102, "killed", { worker: 1 }), ...second, ...third, ...all]);
    expect(finding).toMatchObject({ class: "sequential", count: 1 });
    expect(finding?.message).toContain("3 times");
  });

  test("executions at the same time are never inherent", () => {
    const first = execution({ worker: 1, acquire: [0, 10], effect: [1650, 1651] });
    expect(classes([...first, worker(1652, "killed", { worker: 1 }), ...second, ...both])).toEqual(["concurrent"]);
  });
});

test("a control's duplicates are counted as power, and are no finding", () => {
  const events = [
    ...execution({ worker: 1, acquire: [0, 10], effect: [700, 701] }),
    ...execution({ worker: 2, attempt: 2, acquire: [600, 610], effect: [900, 901] }),
    ...both,
    fault(650, "inject", { name: "worker-stop", target: "worker:1" }),
  ];
  const run = runOf(events, {}, "none");
  expect(duplicates.check(run)).toEqual([]);
  expect(duplicatesOf(indexRound(run.armRounds[0]!)).map((duplicate) => duplicate.class)).toEqual(["concurrent"]);
});
