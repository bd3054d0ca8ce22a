import { expect, test } from "vitest";
import { hang } from "../../../../harness/checks/hang.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { attempt, event, execution, fault, milestone, ready, runOf, worker } from "./hand-written.ts";

// TTL 1 s: the budget is 6 s unless the library states another.
const found = (events: HistoryEvent[]) => hang.check(runOf([...events, milestone(20_000, "gave-up")]));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);

test("an acquire that never comes back, or comes back beyond the budget", () => {
  const [finding] = found(attempt(1, [1000]));
  expect(finding).toMatchObject({ class: "acquire", count: 1 });
  expect(finding?.message).toContain("had not come back after 19 s; its budget is 6 s");
  expect(classes(attempt(1, [1000, 7000], { outcome: "failed" }))).toEqual([]);
  expect(classes(attempt(1, [1000, 7001], { outcome: "failed" }))).toEqual(["acquire"]);
});

test("the library's own statement is the budget", () => {
  expect(classes([ready(0, 1, { budgetMs: 200 }), ...attempt(1, [1000, 1201])])).toEqual(["acquire"]);
  expect(classes([ready(0, 1, { budgetMs: 10_000 }), ...attempt(1, [1000, 9000])])).toEqual([]);
});

test("a wait on a held key is no hang; the time in which the key is free counts", () => {
  const holder = execution({ worker: 2, job: "h", acquire: [0, 10], release: [9000, 9010] });
  expect(classes([...holder, ...attempt(1, [100, 9100])])).toEqual([]);
  expect(classes([...holder, ...attempt(1, [100])])).toEqual(["acquire"]);
});

test("of those that wait for each other each may have taken the key once, for a TTL, unless that one hung itself", () => {
  const within = attempt(2, [1000, 6500], { outcome: "indeterminate" });
  // 6.9 s, of which the other may have had the key for one.
  expect(classes([...attempt(1, [1000, 7900], { outcome: "failed" }), ...within])).toEqual([]);
  expect(classes([...attempt(1, [1000, 8100], { outcome: "failed" }), ...within])).toEqual(["acquire"]);
  const both = [...attempt(1, [1000]), ...attempt(2, [1100])];
  expect(found(both)[0]).toMatchObject({ class: "acquire", count: 2 });
  // Before one that is within its budget asked, nobody can have had it without a hang.
  const late = Array.from({ length: 20 }, (_, index) => attempt(index + 3, [15_000]));
  expect(found([...both, ...late.flat()])[0]).toMatchObject({ class: "acquire", count: 2 });
});

test("of many that never come back, none excuses the others", () => {
  const all = Array.from({ length: 20 }, (_, index) => attempt(index + 1, [1000 + index]));
  expect(found(all.flat())[0]).toMatchObject({ class: "acquire", count: 20 });
});

test("a stop of its own process does not count, a server that is gone does", () => {
  const during = (name: string, target: string) => [
    ...attempt(1, [1000, 8000]),
    fault(1500, "inject", { name, target }),
    fault(7500, "heal", { name, target }),
  ];
  expect(classes(during("worker-stop", "worker:1"))).toEqual([]);
  expect(classes(during("worker-stop", "worker:2"))).toEqual(["acquire"]);
  expect(classes(during("redis-pause", "node:1"))).toEqual(["acquire"]);
});

test("pending at the death of its process, it waited only until then", () => {
  expect(classes([...attempt(1, [1000]), worker(5000, "crashed", { worker: 1 })])).toEqual([]);
});

test("releases and extensions hang too", () => {
  const stuck = execution({ worker: 1, acquire: [0, 10], release: [100] });
  expect(classes(stuck)).toEqual(["release"]);
  const extending = event([50, "extend", "invoke", { worker: 1, incarnation: 1, key: "k1", execution: "j1/1@1.1" }]);
  expect(classes([...execution({ worker: 1, acquire: [0, 10], release: [100, 110] }), extending])).toEqual(["extend"]);
});
