import { describe, expect, test } from "vitest";
import { ownership } from "../../../../harness/checks/ownership.ts";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import { serverKeys } from "../../../../harness/checks/server-keys.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { blind, command, execution, fault, keyspace, polled, runOf } from "./hand-written.ts";

const found = (events: HistoryEvent[]) => ownership.check(runOf(events));
const classes = (events: HistoryEvent[]) => found(events).map((finding) => finding.class);
const holds = (events: HistoryEvent[]) =>
  serverKeys(indexRound(runOf(events).armRounds[0]!)).holds.map(({ token, end }) => [token, end?.how]);

const set = (atMs: number, token: string) => command(atMs, `SET k1 ${token} NX PX 1000`);
const byScript = (atMs: number, text: string, token: string) => command(atMs, text, { by: "lua", scriptArgs: [token] });

describe("a key's owner deletes it", () => {
  test("by a script that carries its token: nothing to find", () => {
    expect(classes([set(10, "t1"), byScript(100, "DEL k1", "t1"), set(110, "t2")])).toEqual([]);
  });

  test("a plain DEL carries no token: of another connection it deletes what is not its own", () => {
    const [finding] = found([set(10, "t1"), command(100, "DEL k1", { by: "10.0.0.9:1" })]);
    expect(finding).toMatchObject({ class: "deleted", count: 1 });
    expect(finding?.message).toContain(
      "without any token, by DEL, which meets whoever holds it: here it came from another",
    );
    expect(finding?.evidence.map(({ atNs }) => atNs / 1e6)).toEqual([10, 100]);
  });

  test("of the connection that had written the token it is a danger, of which nothing came", () => {
    const [finding] = found([set(10, "t1"), command(100, "DEL k1")]);
    expect(finding).toMatchObject({ class: "unguarded", count: 1 });
    expect(finding?.message).toContain("here it was the sender's own");
    expect(finding?.message).not.toContain("another");
  });

  test("where an earlier hold of the connection had run out, nobody can say which one was meant", () => {
    const granted = execution({ worker: 1, acquire: [9, 11, { token: "t1" }] });
    const next = [set(10, "t1"), set(1100, "t2"), command(1200, "DEL k1")];
    expect(classes([...granted, ...next])).toEqual(["deleted"]);
    // One whose answer was lost is nobody's to release.
    expect(classes(next)).toEqual(["unguarded"]);
    expect(classes([set(10, "t1"), command(20, "DEL k1"), set(30, "t2"), command(40, "DEL k1")])).toEqual([
      "unguarded",
    ]);
  });

  test("a script tells of no connection", () => {
    const [finding] = found([byScript(10, "SET k1 t1 PX 1000", "t1"), command(100, "DEL k1")]);
    expect(finding?.class).toBe("deleted");
    expect(finding?.message).toMatch(/which meets whoever holds it\.$/);
  });

  test("the late release of a former owner deletes the next one's key: shown before a careless DEL", () => {
    const careless = command(20, "DEL k1", { by: "10.0.0.9:1" });
    const events = [set(10, "t1"), careless, set(30, "t0"), byScript(900, "DEL k1", "t0")];
    const stolen = [set(1000, "t1b"), set(2100, "t2"), byScript(2200, "DEL k1", "t1b")];
    const [finding] = found([...events, ...stolen]);
    expect(finding).toMatchObject({ class: "deleted", count: 2 });
    expect(finding?.message).toContain("with the token of another");
  });

  test("a script that acts with the next one's token just when the key expires: it had taken the key, unseen", () => {
    const next = [command(1008, "SET k1 t2 NX PX 1000"), byScript(1009, "DEL k1", "t2")];
    expect(classes([set(10, "t1"), ...next])).toEqual([]);
    expect(classes([set(10, "t1"), command(1009, "DEL k1", { by: "10.0.0.9:1" })])).toEqual(["deleted"]);
    expect(classes([set(10, "t1"), set(500, "t2"), byScript(501, "DEL k1", "t2")])).toEqual(["deleted"]);
  });

  test("a server that was stopped in the middle of a SET tells of it late, and of its expiry before: others may have it", () => {
    const taken = [command(1000.5, "SET k1 t2 NX PX 1000"), byScript(1001, "DEL k1", "t2")];
    expect(classes([set(1000, "t1"), ...taken])).toEqual(["deleted"]);
    expect(classes([keyspace(995, "expired"), set(1000, "t1"), ...taken])).toEqual([]);
    expect(classes([set(1000, "t1"), keyspace(1000.2, "expired"), ...taken])).toEqual([]);
    expect(classes([keyspace(700, "expired"), set(1000, "t1"), ...taken])).toEqual(["deleted"]);
  });

  test("the late word of an expiry that was known casts no doubt on the next hold", () => {
    const next = [set(10, "t1"), set(1100, "t2"), keyspace(1105, "expired"), byScript(1110, "DEL k1", "t1")];
    expect(classes(next)).toEqual(["deleted"]);
  });

  test("inside a transaction that watches the key, the value was what the client had read", () => {
    const by = { by: "10.0.0.1:99" };
    const guarded = [
      command(90, "WATCH k1", by),
      command(95, "MULTI", by),
      command(96, "DEL k1", by),
      command(96, "EXEC", by),
    ];
    expect(classes([set(10, "t1"), ...guarded])).toEqual([]);
    expect(classes([set(10, "t1"), ...guarded.slice(1)])).toEqual(["deleted"]);
  });
});

describe("a key's owner extends it", () => {
  test("by a script with its token; a plain PEXPIRE carries none", () => {
    expect(classes([set(10, "t1"), byScript(100, "PEXPIRE k1 1000", "t1")])).toEqual([]);
    expect(classes([set(10, "t1"), command(100, "PEXPIRE k1 1000")])).toEqual(["unguarded"]);
    const byAnother = command(100, "PEXPIRE k1 1000", { by: "10.0.0.9:1" });
    expect(classes([set(10, "t1"), byAnother])).toEqual(["extended"]);
  });

  test("what the harness does to move a clock is no interference, but moves the expiry", () => {
    const moved = command(100, "PEXPIRE k1 200", { by: "fault" });
    expect(classes([set(10, "t1"), moved])).toEqual([]);
    expect(holds([set(10, "t1"), moved, set(310, "t2")])).toEqual([
      ["t1", "expired"],
      ["t2", undefined],
    ]);
  });
});

test("overwriting a key that another holds", () => {
  expect(classes([set(10, "t1"), command(100, "SET k1 t2 PX 1000")])).toEqual(["replaced"]);
  expect(classes([set(10, "t1"), command(1100, "SET k1 t2 PX 1000")])).toEqual([]);
});

describe("what the server did is replayed", () => {
  test("SET NX on a held key changes nothing; after DEL or expiry it does", () => {
    expect(holds([set(10, "t1"), set(50, "t2"), byScript(60, "DEL k1", "t1"), set(70, "t3"), set(1200, "t4")])).toEqual(
      [
        ["t1", "deleted"],
        ["t3", "expired"],
        ["t4", undefined],
      ],
    );
  });

  test("expiry follows the server's own clock, not the receipt", () => {
    const late = command(100, "SET k1 t2 NX PX 1000", { serverMs: 60_000 });
    expect(holds([set(10, "t1"), late])).toEqual([
      ["t1", "expired"],
      ["t2", undefined],
    ]);
  });

  test("within some ms of the expiry, the grant says whether the key was still there", () => {
    const granted = execution({ worker: 2, acquire: [1000, 1012, { token: "t2" }] });
    expect(holds([set(10, "t1"), set(1009, "t2")])).toEqual([["t1", undefined]]);
    expect(holds([set(10, "t1"), set(1009, "t2"), ...granted])).toEqual([
      ["t1", "expired"],
      ["t2", undefined],
    ]);
  });

  test("evictions, flushes, deaths and polls end a hold; news that is too late for it does not", () => {
    expect(holds([set(10, "t1"), keyspace(300, "evicted")])).toEqual([["t1", "evicted"]]);
    expect(holds([set(10, "t1"), command(300, "FLUSHALL")])).toEqual([["t1", "flushed"]]);
    expect(holds([set(10, "t1"), fault(300, "inject", { name: "redis-kill", target: "node:1" })])).toEqual([
      ["t1", "server died"],
    ]);
    expect(holds([set(10, "t1"), polled(300, null, -2)])).toEqual([["t1", "expired"]]);
    expect(holds([set(10, "t1"), keyspace(50, "expired"), polled(60, null, -2)])).toEqual([["t1", undefined]]);
  });

  test("a key without a TTL stays, until it is given one", () => {
    expect(holds([command(10, "SETNX k1 t1"), set(90_000, "t2")])).toEqual([["t1", undefined]]);
    const given = [command(10, "SETNX k1 t1"), byScript(20, "PEXPIRE k1 1000", "t1"), set(90_000, "t2")];
    expect(holds(given)).toEqual([
      ["t1", "expired"],
      ["t2", undefined],
    ]);
  });

  test("nodes are told apart", () => {
    const other = command(20, "SET k1 t2 NX PX 1000", { node: 2 });
    expect(holds([set(10, "t1"), other, command(30, "FLUSHALL", { node: 2 })])).toEqual([
      ["t1", undefined],
      ["t2", "flushed"],
    ]);
  });
});

describe("after a gap of the trace", () => {
  const lateDelete = byScript(700, "DEL k1", "t1");

  test("nobody knows whether a key stands: a SET NX may have been refused", () => {
    expect(classes([set(10, "t1"), blind(400, 200), set(500, "t2"), lateDelete])).toEqual([]);
    expect(holds([set(10, "t1"), blind(400, 200), set(500, "t2"), lateDelete])).toEqual([["t1", undefined]]);
  });

  test("a granted one was not: from there on it is known again", () => {
    const granted = execution({ worker: 2, acquire: [490, 510, { token: "t2" }] });
    expect(classes([set(10, "t1"), blind(400, 200), set(500, "t2"), ...granted, lateDelete])).toEqual(["deleted"]);
  });

  test("so it is after a deletion, a plain write, or a poll that found no key", () => {
    for (const tells of [command(450, "DEL k1"), command(450, "SET k1 t0 PX 10"), polled(450, null, -2)]) {
      expect(classes([set(10, "t1"), blind(400, 200), tells, set(500, "t2"), lateDelete])).toEqual(["deleted"]);
    }
  });

  test("other nodes have lost nothing", () => {
    expect(classes([set(10, "t1"), blind(400, 200, 2), byScript(500, "DEL k1", "t0")])).toEqual(["deleted"]);
  });
});
