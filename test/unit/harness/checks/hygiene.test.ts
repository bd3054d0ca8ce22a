import { expect, test } from "vitest";
import { hygiene } from "../../../../harness/checks/hygiene.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { command, event, execution, fault, runOf, worker } from "./hand-written.ts";

const found = (events: HistoryEvent[]) => hygiene.check(runOf(events));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);
const sample = (atMs: number, detail: Record<string, unknown>) =>
  event([atMs, "sample", "info", { worker: 1, incarnation: 1, detail }]);

test("unhandled errors, unplanned exits, and what stays open", () => {
  expect(classes([sample(5, { unhandled: "boom" })])).toEqual(["unhandled error"]);
  expect(classes([sample(5, { leftOpen: ["Timeout", "TCPSocketWrap"] }), sample(6, { leftOpen: [] })])).toEqual([
    "leftovers",
  ]);
  expect(found([sample(5, { closeError: "close boom" })])[0]).toMatchObject({
    class: "unhandled error",
    message: "close() of the lock of worker 1 threw: close boom.",
  });
  expect(found([sample(5, { closingForMs: 5_000 })])[0]).toMatchObject({
    class: "leftovers",
    message: "close() of the lock of worker 1 had not come back after 5 s.",
  });
  const [finding] = found([
    worker(5, "crashed", { worker: 1, detail: { code: 1, stderr: "first\nError: last words\n" } }),
  ]);
  expect(finding).toMatchObject({ class: "unplanned exit" });
  expect(finding?.message).toBe("worker 1 ended with code 1, unplanned: Error: last words.");
  expect(classes([worker(5, "killed", { worker: 1 }), worker(6, "exited", { worker: 2 })])).toEqual([]);
});

test("memory that grows all through a round; a saw that comes down again does not", () => {
  const megabytes = 2 ** 20;
  const run = (heapOf: (second: number) => number) =>
    classes(
      Array.from({ length: 60 }, (_, second) => sample(second * 1000, { heapUsedBytes: heapOf(second) * megabytes })),
    );
  expect(run((second) => 30 + second * 3)).toEqual(["growth of memory"]);
  expect(run((second) => 30 + (second % 10) * 20)).toEqual([]);
  expect(run((second) => 30 + second)).toEqual([]);
});

test("commands with the token of a hold after its release returned, other than the release once more", () => {
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [500, 510] });
  const set = command(5, "SET k1 t1 NX PX 1000");
  const script = (atMs: number, sha: string) => command(atMs, `EVALSHA ${sha} 1 k1 t1`);
  expect(classes([...hold, set, script(300, "renew"), script(505, "release")])).toEqual([]);
  expect(classes([...hold, set, script(300, "renew"), script(505, "release"), script(600, "renew")])).toEqual([
    "renewal after release",
  ]);
  expect(classes([...hold, set, script(505, "release"), script(600, "release")])).toEqual([]);
});

test("a command counts from when the server carried it out, not from a late receipt; one overtaken by the release is none", () => {
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [500, 510] });
  const set = command(5, "SET k1 t1 NX PX 1000");
  const script = (atMs: number, sha: string, over = {}) => command(atMs, `EVALSHA ${sha} 1 k1 t1`, over);
  const received = [script(505, "release"), script(700, "renew", { serverMs: 501 })];
  expect(classes([...hold, set, ...received])).toEqual([]);
  const other = { node: 2 };
  const overtaken = [script(505, "release"), script(600, "renew", other), script(601, "release", other)];
  expect(classes([...hold, set, ...overtaken])).toEqual([]);
  expect(classes([...hold, set, ...overtaken, script(900, "renew", other)])).toEqual(["renewal after release"]);
});

test("a step of the server's clock moves no command in time: what was received late still counts from when it was carried out", () => {
  const script = (atMs: number, sha: string, serverMs: number) => command(atMs, `EVALSHA ${sha} 1 k1 t1`, { serverMs });
  for (const offsetMs of [20_000, 3_000, -3_000]) {
    const clock = { name: "redis-faketime", target: "node:1" };
    const step = [fault(200, "inject", clock), fault(900, "heal", clock)];
    // One before the step, one under it, one after it; all other receipts are prompt.
    const prompt = [
      command(100, "SET k9 x NX PX 1000", { key: "k9", serverMs: 100 }),
      command(300, "SET k9 x NX PX 1000", { key: "k9", serverMs: 300 + offsetMs }),
      command(950, "SET k9 x NX PX 1000", { key: "k9", serverMs: 950 }),
    ];
    const before = execution({ worker: 1, acquire: [10, 20, { token: "t1" }], release: [60, 70] });
    const early = [command(15, "SET k1 t1 NX PX 1000"), script(185, "release", 65)];
    expect(classes([...step, ...prompt, ...before, ...early])).toEqual([]);
    const within = execution({ worker: 1, acquire: [310, 320, { token: "t1" }], release: [500, 510] });
    const set = command(315, "SET k1 t1 NX PX 1000", { serverMs: 315 + offsetMs });
    const received = [set, script(700, "release", 505 + offsetMs)];
    expect(classes([...step, ...prompt, ...within, ...received])).toEqual([]);
    const renewed = [...received, script(710, "renew", 710 + offsetMs)];
    expect(classes([...step, ...prompt, ...within, ...renewed])).toEqual(["renewal after release"]);
  }
});

test("where the trace shows nothing while the release was carried out, its times are off and say nothing", () => {
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [500, 510] });
  const set = command(5, "SET k1 t1 NX PX 1000");
  const script = (atMs: number, serverMs: number) => command(atMs, "EVALSHA release 1 k1 t1", { serverMs });
  // A clock that stepped without a fault: nobody knows how late the receipt is.
  expect(classes([...hold, set, script(700, 30_000)])).toEqual([]);
  expect(classes([...hold, set, script(700, -9_000)])).toEqual([]);
});

test("a trace that is read seconds late accuses nobody; one that is later still, or under a clock of another speed, neither", () => {
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [220, 230] });
  const prompt = command(1, "SET k9 x NX PX 1000", { key: "k9" });
  for (const lagMs of [300, 4_000, 5_320, 30_000]) {
    const late = [
      command(5 + lagMs, "SET k1 t1 NX PX 15000", { serverMs: 5 }),
      command(225 + lagMs, "EVALSHA release 1 k1 t1", { serverMs: 225 }),
    ];
    expect(classes([prompt, ...hold, ...late])).toEqual([]);
  }
  const speed = { name: "redis-faketime", target: "node:1", params: { speed: 2 } };
  const fast = [
    fault(0, "inject", speed),
    command(5, "SET k1 t1 NX PX 15000"),
    command(228, "EVALSHA release 1 k1 t1"),
    command(600, "EVALSHA renew 1 k1 t1", { serverMs: 225 }),
  ];
  expect(classes([...hold, ...fast])).toEqual([]);
});

test("a renewal without a token, of a key that was released and that nobody asked for since", () => {
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [500, 510] });
  const set = command(5, "SET k1 t1 NX PX 1000");
  const renew = (atMs: number) => command(atMs, "PEXPIRE k1 1000");
  const next = execution({ worker: 2, job: "j2", acquire: [580, 590, { token: "t2" }], release: [900] });
  const taken = command(585, "SET k1 t2 NX PX 1000");
  expect(classes([...hold, set, renew(300)])).toEqual([]);
  // On a busy machine nobody knows the time of a command to the millisecond.
  expect(classes([...hold, set, renew(530)])).toEqual([]);
  expect(classes([...hold, set, renew(600)])).toEqual(["renewal after release"]);
  expect(classes([...hold, set, ...next, taken, renew(600)])).toEqual([]);
  expect(classes([...hold, set, ...next, taken, renew(570), renew(600)])).toEqual(["renewal after release"]);
});

test("more commands than 10 + 10 x hold / TTL; what a script calls inside does not count", () => {
  // A hold of half a TTL: 15 are allowed.
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [510, 520] });
  const calls = (n: number, by?: string) =>
    Array.from({ length: n }, (_, index) => command(11 + index, "EVALSHA renew 1 k1 t1", by ? { by } : {}));
  const set = command(5, "SET k1 t1 NX PX 1000");
  expect(classes([...hold, set, ...calls(14)])).toEqual([]);
  expect(classes([...hold, set, ...calls(15)])).toEqual(["too many commands"]);
  expect(classes([...hold, set, ...calls(40, "lua")])).toEqual([]);
});

test("a release that is tried again and again, with pauses, is no flood", () => {
  // A hold of a tenth of a TTL: 11 are allowed for it.
  const hold = execution({ worker: 1, acquire: [0, 10, { token: "t1" }], release: [110] });
  const set = command(5, "SET k1 t1 NX PX 1000");
  const releases = (everyMs: number) =>
    Array.from({ length: 12 }, (_, nth) => command(115 + nth * everyMs, "EVALSHA release 1 k1 t1"));
  expect(classes([...hold, set, ...releases(200)])).toEqual([]);
  expect(classes([...hold, set, ...releases(1)])).toEqual(["too many commands"]);
});
