import { describe, expect, test } from "vitest";
import { fatesOf, lostWork } from "../../../../harness/checks/lost-work.ts";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { arrival, event, execution, milestone, runOf, witnessed } from "./hand-written.ts";

const found = (events: HistoryEvent[], arm?: string) => lostWork.check(runOf(events, {}, arm));
const skip = (worker: number, outcome: string, atMs: number) =>
  event([atMs, "skip", "info", { worker, job: "j1", key: "k1", execution: `j1/1@${worker}.1`, outcome }]);

test("a confirmed job that was never executed when the round ended is lost, in a control too", () => {
  const events = [
    ...arrival("j1", 0, 1),
    ...execution({ worker: 1, deliver: 5, acquire: [6, 7] }),
    milestone(9000, "gave-up"),
  ];
  for (const arm of ["set-nx", "none"]) {
    const [finding] = found(events, arm);
    expect(finding).toMatchObject({ check: "lost work", class: "never executed", arm, count: 1 });
    expect(finding?.evidence.map(({ op }) => op)).toEqual(["arrive", "deliver", "acquire", "round"]);
  }
});

test("the evidence tells first that the job was added, also where its producer heard of it after the delivery", () => {
  const events = [...arrival("j1", 0, 120), ...execution({ worker: 1, deliver: 5, acquire: [6, 7] })];
  const [finding] = found([...events, milestone(9000, "gave-up")]);
  expect(finding?.evidence.map(({ op, phase }) => `${op} ${phase}`)).toEqual([
    "arrive invoke",
    "deliver ok",
    "acquire ok",
    "round info",
  ]);
});

test("acknowledged without an effect is worse: it cannot come again", () => {
  const events = [...arrival("j1", 0, 1), ...execution({ worker: 1, deliver: 5, acquire: [6, 7], ack: [8, 9] })];
  expect(found([...events, milestone(9000, "drained")])).toMatchObject([{ class: "acknowledged unexecuted" }]);
});

test("executed by anyone, or dropped by policy, is not lost; a refusal alone is no drop", () => {
  const offered = arrival("j1", 0, 1);
  const end = milestone(9000, "drained");
  expect(found([...offered, witnessed(5000, "j1/2@2.1"), end])).toEqual([]);
  expect(found([...offered, skip(1, "refused", 10), skip(1, "dropped", 10), end])).toEqual([]);
  expect(found([...offered, skip(1, "refused", 10), end])).toMatchObject([{ class: "never executed" }]);
});

test("a job that the queue never confirmed was not offered, unless it was executed after all", () => {
  const unconfirmed = arrival("j1", 0).filter(({ phase }) => phase === "invoke");
  const index = (events: HistoryEvent[]) => fatesOf(indexRound(runOf(events).armRounds[0]!));
  expect(index([...unconfirmed, milestone(9000, "drained")])).toMatchObject({ offered: new Set(), lost: new Set() });
  expect(index([...unconfirmed, witnessed(5000, "j1/1@1.1")]).offered).toEqual(new Set(["j1"]));
});

test("a round that was cut short says nothing about lost work", () => {
  expect(found([...arrival("j1", 0, 1), milestone(5000, "load-end")])).toEqual([]);
});

test("an effect that the witness fenced off is no execution", () => {
  const fenced = witnessed(5000, "j1/1@1.1", { outcome: "fenced" });
  expect(found([...arrival("j1", 0, 1), fenced, milestone(9000, "gave-up")])).toMatchObject([
    { class: "never executed" },
  ]);
});

describe("lost updates", () => {
  const write = (atMs: number, id: string, version: number, readVersion?: number, outcome = "accepted") =>
    witnessed(atMs, id, {
      outcome,
      detail: { document: "d1", version, value: version, ...(readVersion === undefined ? {} : { readVersion }) },
    });

  test("a write over one that its author had not read", () => {
    const events = [
      ...execution({ worker: 1, job: "a", acquire: [0, 10], effect: [100, 101] }),
      ...execution({ worker: 2, job: "b", acquire: [20, 30], effect: [200, 201] }),
      write(5000, "a/1@1.1", 1, 0),
      write(5001, "b/1@2.1", 2, 0),
    ];
    const [finding, ...more] = found(events);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ class: "lost update", count: 1 });
    expect(finding?.message).toContain("The write of a to d1 is lost: b had read version 0 and wrote version 2");
    expect(finding?.evidence.map(({ op }) => op)).toEqual(["acquire", "effect", "effect", "witness", "witness"]);
    expect(found(events, "none")).toEqual([]);
  });

  test("writes one after the other, writes that read nothing, and fenced ones lose nothing", () => {
    expect(found([write(1, "a/1@1.1", 1, 0), write(2, "b/1@1.1", 2, 1)])).toEqual([]);
    expect(found([write(1, "a/1@1.1", 1), write(2, "b/1@1.1", 2)])).toEqual([]);
    expect(found([write(1, "a/1@1.1", 1, 0), write(2, "b/1@1.1", 1, 0, "fenced")])).toEqual([]);
  });
});
