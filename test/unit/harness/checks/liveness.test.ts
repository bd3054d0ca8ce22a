import { describe, expect, test } from "vitest";
import { liveness } from "../../../../harness/checks/liveness.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import {
  arrival,
  attempt,
  event,
  execution,
  fault,
  milestone,
  ready,
  runOf,
  witnessed,
  worker,
} from "./hand-written.ts";

// TTL 1 s, claim interval 100 ms: a free key must be granted within 1.1 s and the time of faults.
const found = (events: HistoryEvent[], plan = {}) =>
  liveness.check(runOf([milestone(0, "load-start"), ...events], plan));
const classes = (events: HistoryEvent[], plan = {}) => found(events, plan).map((finding) => finding.class);

describe("no grant", () => {
  const held = execution({ worker: 1, job: "a", acquire: [0, 10], release: [100, 110] });
  const refusedAt = (...times: number[]) =>
    times.flatMap((atMs, nth) => attempt(2, [atMs, atMs + 1], { attempt: nth + 1 }));

  test("a released key is still refused after the claim interval and a second", () => {
    const [finding] = found([...held, ...refusedAt(700, 1300)]);
    expect(finding).toMatchObject({ class: "no grant", count: 1 });
    expect(finding?.evidence.map(({ op, phase }) => `${op} ${phase}`)).toEqual([
      "release ok",
      "acquire invoke",
      "acquire fail",
      "acquire invoke",
      "acquire fail",
    ]);
  });

  test("up to that time it is a wait", () => {
    expect(classes([...held, ...refusedAt(700, 1208)])).toEqual([]);
  });

  test("a grant in between starts the time anew", () => {
    const granted = execution({ worker: 3, job: "c", acquire: [800, 810], release: [900, 910] });
    expect(classes([...held, ...refusedAt(700, 1300), ...granted])).toEqual([]);
  });

  test("without a release the lease lasts until the TTL, from the return of the acquire or the last extension", () => {
    const unreleased = execution({ worker: 1, job: "a", acquire: [0, 10], extend: [[500, 510]] });
    expect(classes([...unreleased, ...refusedAt(2600)])).toEqual([]);
    expect(classes([...unreleased, ...refusedAt(2620)])).toEqual(["no grant"]);
  });

  test("an acquire of which nobody knows may hold the key for a TTL", () => {
    const unknown = attempt(1, [200, 400], { outcome: "indeterminate", job: "a" });
    expect(classes([...held, ...unknown, ...refusedAt(1500, 2490)])).toEqual([]);
    expect(classes([...held, ...unknown, ...refusedAt(1500, 2510)])).toEqual(["no grant"]);
  });

  test("an acquire that its worker's death cut off may have taken the key until then", () => {
    const cutOff = [...attempt(1, [200], { job: "a" }), worker(400, "crashed", { worker: 1 })];
    expect(classes([...held, ...cutOff, ...refusedAt(2490)])).toEqual([]);
    expect(classes([...held, ...cutOff, ...refusedAt(2510)])).toEqual(["no grant"]);
  });

  test("an acquire that is pending for long may have taken the key once, for a TTL, and no longer", () => {
    const every = (untilMs: number) =>
      refusedAt(...Array.from({ length: (untilMs - 200) / 200 }, (_, nth) => 400 + nth * 200));
    const pending = attempt(1, [300], { job: "a" });
    // Before that lease and after it, 1.1 s each are a wait: 3.2 s since the key was free.
    expect(classes([...held, ...pending, ...every(3200)])).toEqual([]);
    const [finding] = found([...held, ...pending, ...every(3600)]);
    expect(finding).toMatchObject({ class: "no grant" });
    const two = [...pending, ...attempt(3, [300, 9000], { job: "b", outcome: "indeterminate" })];
    expect(classes([...held, ...two, ...every(5200)])).toEqual([]);
    expect(classes([...held, ...two, ...every(5800)])).toEqual(["no grant"]);
  });

  test("whoever holds as long as its connection may hold without knowing it for longer than a TTL", () => {
    const times = Array.from({ length: 30 }, (_, nth) => 400 + nth * 200);
    const pending = attempt(1, [300], { job: "a" });
    expect(classes([ready(0, 1, { lease: "connection" }), ...held, ...pending, ...refusedAt(...times)])).toEqual([]);
  });

  test("the time of faults does not count", () => {
    const pause = { name: "redis-pause", target: "node:1" };
    expect(classes([...held, ...refusedAt(1500), fault(200, "inject", pause), fault(600, "heal", pause)])).toEqual([]);
    const jitter = { name: "jitter", target: "node:1" };
    expect(classes([...held, ...refusedAt(1500), fault(200, "inject", jitter), fault(600, "heal", jitter)])).toEqual([
      "no grant",
    ]);
  });

  test("a quorum may refuse everyone for a while: only tries that go on count, and a TTL more", () => {
    const quorum = ready(0, 1, { nodes: 5 });
    expect(classes([quorum, ...held, ...refusedAt(5000)])).toEqual([]);
    expect(classes([quorum, ...held, ...refusedAt(500, 1500, 2500)])).toEqual([]);
    expect(classes([quorum, ...held, ...refusedAt(500, 1500, 2601)])).toEqual(["no grant"]);
  });

  test("a refusal with a reason of its own, and one of a job that is done, wait for nobody", () => {
    expect(classes([...held, ...attempt(2, [3000, 3001], { reason: "done" })])).toEqual([]);
    expect(classes([...held, ...refusedAt(3000), witnessed(2000, "j1/9@3.1")])).toEqual([]);
  });

  test("failing with errors for ever is no grant either", () => {
    const failing = [200, 800, 1400].flatMap((atMs, nth) =>
      attempt(2, [atMs, atMs + 1], { outcome: "failed", attempt: nth + 1 }),
    );
    expect(classes([...held, ...failing])).toEqual(["no grant"]);
  });
});

describe("wedged worker", () => {
  const jobs = (...times: number[]) => times.flatMap((atMs, nth) => arrival(`j${nth}`, atMs));
  const taken = (number: number, nth: number, atMs: number, doneMs: number) =>
    execution({
      worker: number,
      job: `j${nth}`,
      key: `k-j${nth}`,
      deliver: atMs,
      acquire: [atMs + 1, atMs + 2],
      release: [doneMs - 1, doneMs],
    });

  test("it has room, jobs wait, and it takes none", () => {
    const events = [
      ready(0, 1),
      ready(0, 2),
      ...jobs(100, 101, 102),
      ...taken(1, 0, 110, 1000),
      ...taken(1, 1, 1001, 2000),
    ];
    const [finding] = found([...events, ...taken(1, 2, 2001, 2500), milestone(3000, "drained")]);
    expect(finding).toMatchObject({ class: "wedged worker", count: 1 });
    expect(finding?.message).toContain("Worker 2 took no job for 1.9 s");
  });

  test("a busy worker, one with nothing to take, one that is gone, one that a fault held up: none is wedged", () => {
    const busy = [ready(0, 1), ...jobs(100, 101), ...taken(1, 0, 110, 3000), ...taken(1, 1, 3001, 3100)];
    expect(classes(busy)).toEqual([]);
    const nothing = [
      ready(0, 1),
      ready(0, 2),
      ...jobs(100, 4000),
      ...taken(1, 0, 110, 200),
      ...taken(1, 1, 4010, 4100),
    ];
    expect(classes([...nothing, milestone(9000, "drained")])).toEqual([]);
    const gone = [ready(0, 1), ready(0, 2), worker(90, "crashed", { worker: 2 }), ...busy.slice(1)];
    expect(classes(gone)).toEqual([]);
    const pause = { name: "redis-pause", target: "node:1" };
    const stalled = [
      ready(0, 1),
      ...jobs(100),
      fault(100, "inject", pause),
      fault(2000, "heal", pause),
      ...taken(1, 0, 3000, 3100),
    ];
    expect(classes(stalled)).toEqual([]);
  });

  test("a job that a worker had before the producer heard that the queue has it waits no longer", () => {
    const early = [ready(0, 1), ready(0, 2), ...jobs(100), ...taken(1, 0, 99.9, 200)];
    expect(classes([...early, milestone(9000, "drained")])).toEqual([]);
  });

  test("a job that was handed to a worker that stood still was nobody else's to take", () => {
    const stop = { name: "worker-stop", target: "worker:1" };
    const late = (windows: HistoryEvent[]) => [
      ...[ready(0, 1), ready(0, 2), ...jobs(100)],
      ...windows,
      ...[...taken(1, 0, 2500, 2600), milestone(9000, "drained")],
    ];
    expect(classes(late([fault(50, "inject", stop), fault(2490, "heal", stop)]))).toEqual([]);
    expect(classes(late([]))).toEqual(["wedged worker"]);
  });

  test("a job whose first worker ended before it could say so was nobody else's until it came again", () => {
    const again = [{ attempt: 2 }, { outcome: "redelivered" }].map((said) => [
      ...[ready(0, 1), ready(0, 2), ...jobs(100)],
      event([2200, "deliver", "ok", { worker: 2, job: "j0", key: "k-j0", execution: "j0/2@2.1", ...said }]),
      event([2300, "release", "ok", { worker: 2, job: "j0", key: "k-j0", execution: "j0/2@2.1", ...said }]),
      milestone(9000, "drained"),
    ]);
    for (const events of again) expect(classes(events)).toEqual([]);
  });

  test("a job that never came may be somebody's until the visibility timeout is over", () => {
    const never = (endMs: number) => classes([ready(0, 1), ...jobs(100), milestone(endMs, "gave-up")]);
    expect(never(1650)).toEqual([]);
    expect(never(1750)).toContain("wedged worker");
  });

  test("an operation that never comes back keeps its place occupied", () => {
    const stuck = [event([110, "deliver", "ok", { worker: 1, job: "j0", key: "k-j0", execution: "j0/1@1.1" }])];
    const pending = attempt(1, [111], { job: "j0", key: "k-j0" });
    expect(classes([ready(0, 1), ...jobs(100, 101), ...stuck, ...pending, milestone(9000, "gave-up")])).toEqual([]);
  });
});
