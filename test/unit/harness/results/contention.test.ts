import { describe, expect, test } from "vitest";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { contentionOf } from "../../../../harness/results/contention.ts";
import { attempt, command, execution, fault, polled, ready, runOf, worker } from "../checks/hand-written.ts";

/** TTL 1 s. */
function contention(...events: (HistoryEvent | HistoryEvent[])[]) {
  const { plan, armRounds } = runOf(events.flat());
  return contentionOf(indexRound(armRounds[0]!), plan);
}

const holder = (number: number, acquire: [number, number], release: [number, number], job = `j${number}`) =>
  execution({
    ...{
      worker: number,
      job,
      acquire: [...acquire, { token: `t${number}` }],
      effect: [acquire[1] + 1, acquire[1] + 2],
    },
    release,
  });

describe("waits", () => {
  test("from the first try in vain to the grant, over every delivery of the job", () => {
    const { waitsNs } = contention(
      holder(1, [0, 1], [500, 501]),
      attempt(2, [100, 101], { job: "j2" }),
      attempt(3, [300, 301], { job: "j2", attempt: 2 }),
      execution({ worker: 2, job: "j2", attempt: 3, acquire: [600, 602], release: [700, 701] }),
    );
    expect(waitsNs).toEqual([502e6]);
  });

  test("a job that is granted at once has not waited, nor has one that never is", () => {
    expect(contention(holder(1, [0, 50], [500, 501]), attempt(2, [100, 101], { job: "j2" })).waitsNs).toEqual([]);
  });
});

describe("next grants", () => {
  test("from the call of release to the grant of one who had asked in vain", () => {
    const { nextGrantsNs } = contention(
      holder(1, [0, 1], [500, 501]),
      attempt(2, [100, 101], { job: "j2" }),
      execution({ worker: 2, job: "j2", attempt: 2, acquire: [600, 602], release: [700, 701] }),
    );
    expect(nextGrantsNs).toEqual([102e6]);
  });

  test("a key that nobody had asked for was not waited for", () => {
    expect(contention(holder(1, [0, 1], [500, 501]), holder(2, [600, 602], [700, 701])).nextGrantsNs).toEqual([]);
  });

  test("after a holder's death they take in what was left of its lease", () => {
    const { nextGrantsNs } = contention(
      execution({ worker: 1, acquire: [0, 1] }),
      fault(50, "inject", { name: "worker-kill", target: "worker:1" }),
      worker(51, "killed", { worker: 1 }),
      attempt(2, [100, 101], { job: "j2" }),
      execution({ worker: 2, job: "j2", attempt: 2, acquire: [1048, 1050], release: [1100, 1101] }),
    );
    expect(nextGrantsNs).toEqual([1000e6]);
  });
});

describe("split votes", () => {
  const quorum = ready(0, 1, { nodes: 5 });
  const two = [attempt(1, [100, 120], { job: "j1" }), attempt(2, [110, 130], { job: "j2" })];

  test("two at once on a free key, and nobody is granted it", () => {
    expect(contention(quorum, ...two).splitVotes).toBe(1);
  });

  test("not where one is granted it, where it is held, where they come after each other, or on one server", () => {
    expect(contention(quorum, ...two, holder(3, [115, 125], [200, 201])).splitVotes).toBe(0);
    expect(contention(quorum, ...two, holder(3, [0, 1], [200, 201])).splitVotes).toBe(0);
    const apart = [attempt(1, [100, 120], { job: "j1" }), attempt(2, [120, 130], { job: "j2" })];
    expect(contention(quorum, ...apart).splitVotes).toBe(0);
    expect(contention(ready(0, 1, { nodes: 1 }), ...two).splitVotes).toBe(0);
  });
});

describe("what the trace shows", () => {
  test("commands with the hold's token, without those inside of scripts", () => {
    const { commandsOfHolds } = contention(
      holder(1, [0, 10], [500, 501]),
      command(5, "SET k1 t1 NX PX 1000"),
      command(200, "EVALSHA abc 1 k1 t1 1000"),
      command(200, "PEXPIRE k1 1000", { by: "lua", scriptArgs: ["t1"] }),
      command(500, "EVALSHA def 1 k1 t1"),
    );
    expect(commandsOfHolds).toEqual([3]);
  });

  test("the longest time that a key stood without a holder", () => {
    const { longestOrphanNs } = contention(
      execution({ worker: 1, acquire: [0, 10, { token: "t1" }] }),
      command(5, "SET k1 t1 NX PX 1000"),
      fault(100, "inject", { name: "worker-kill", target: "worker:1" }),
      worker(101, "killed", { worker: 1 }),
      polled(900, "t1", 100),
    );
    expect(longestOrphanNs).toBe(800e6);
  });

  test("without a trace nothing is said of either", () => {
    const { commandsOfHolds, longestOrphanNs } = contention(holder(1, [0, 1], [500, 501]));
    expect({ commandsOfHolds, longestOrphanNs }).toEqual({ commandsOfHolds: undefined, longestOrphanNs: undefined });
  });
});
