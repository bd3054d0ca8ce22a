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

test("two that wait for each other: either may have taken the key once, for a TTL, and no longer", () => {
  const both = [...attempt(1, [1000]), ...attempt(2, [1100])];
  expect(classes(both)).toEqual(["acquire"]);
  expect(found(both)[0]).toMatchObject({ count: 2 });
  expect(found(both)[0]?.message).toContain("had not come back after 18 s");
  // 6.9 s, of which the other may have had the key for one.
  const short = [
    ...attempt(1, [1000, 7900], { outcome: "failed" }),
    ...attempt(2, [1100, 2000], { outcome: "indeterminate" }),
  ];
  expect(classes(short)).toEqual([]);
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
