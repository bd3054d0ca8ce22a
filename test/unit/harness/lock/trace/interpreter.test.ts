import { describe, expect, test } from "vitest";
import { createInterpreter, type TracedLine } from "../../../../../harness/lock/trace/interpreter.ts";
import { type KeyTemplate, keyReader } from "../../../../../harness/lock/trace/key-templates.ts";

const template = (role: KeyTemplate["role"], before: string): KeyTemplate => ({
  node: 1,
  db: 0,
  role,
  before,
  after: "",
});
const templates = [template("lock", "p:lock:"), template("counter", "p:fence:")];

/** Interprets lines of `client command arguments...`, words one space apart. */
function traced(...lines: string[]): TracedLine[] {
  const interpret = createInterpreter({
    node: 1,
    readKey: keyReader(templates, 1),
    whose: (client) => (client === "watcher" ? "own" : client === "admin" ? "fault" : "client"),
  });
  return lines.flatMap((line, index) => {
    const [client = "", ...words] = line.split(" ");
    return interpret({ serverMs: 1000 + index, db: 0, client, words });
  });
}
const brief = (lines: TracedLine[]) =>
  lines.map(({ key, detail: { client, command, scriptArgs } }) => [key, client, command, scriptArgs?.join(" ")]);

describe("which commands count", () => {
  test("those on a lock's key; counters, queues and others do not", () => {
    const lines = traced("c1 set p:lock:a t1 NX", "c1 incr p:fence:a", "c1 xadd p:queue * x 1", "c1 get other");
    expect(brief(lines)).toEqual([["a", "c1", "SET", undefined]]);
    expect(lines[0]?.detail).toMatchObject({ physicalKey: "p:lock:a", args: ["p:lock:a", "t1", "NX"], serverMs: 1000 });
  });

  test("a command on several keys, once for each lock's key", () => {
    expect(traced("c1 del p:lock:a x p:lock:b").map(({ key }) => key)).toEqual(["a", "b"]);
  });

  test("a flush is on all keys", () => {
    expect(brief(traced("c1 flushall", "admin flushdb"))).toEqual([
      [undefined, "c1", "FLUSHALL", undefined],
      [undefined, "fault", "FLUSHDB", undefined],
    ]);
  });

  test("transactions of clients that watch a lock's key, and only those", () => {
    const lines = traced(
      "c1 watch p:lock:a",
      "c2 multi",
      "c1 multi",
      "c1 del p:lock:a",
      "c1 exec",
      "c2 exec",
      "c1 multi",
    );
    expect(brief(lines).map(([, client, command]) => [client, command])).toEqual([
      ["c1", "WATCH"],
      ["c1", "MULTI"],
      ["c1", "DEL"],
      ["c1", "EXEC"],
    ]);
  });

  test("long arguments are cut", () => {
    const [line] = traced(`c1 set p:lock:a ${"t".repeat(100)}`);
    expect(line?.detail.args[1]).toBe("t".repeat(64));
  });
});

describe("scripts", () => {
  test("what a script calls carries the script's arguments", () => {
    expect(brief(traced("c1 evalsha abc 1 p:lock:a t1", "lua get p:lock:a", "lua DEL p:lock:a"))).toEqual([
      ["a", "c1", "EVALSHA", undefined],
      ["a", "lua", "GET", "p:lock:a t1"],
      ["a", "lua", "DEL", "p:lock:a t1"],
    ]);
  });

  test("a script without keys is seen by what it calls", () => {
    expect(brief(traced("c1 eval text 0 t1", "lua del p:lock:a"))).toEqual([["a", "lua", "DEL", "t1"]]);
  });

  test("the harness's own: a fault's is marked, a watcher's is left out", () => {
    expect(brief(traced("admin eval shift 0 500", "lua pexpire p:lock:a 10"))).toEqual([
      ["a", "fault", "PEXPIRE", "500"],
    ]);
    expect(brief(traced("watcher get p:lock:a", "watcher eval x 0", "lua get p:lock:a"))).toEqual([]);
  });

  test("another client's command ends it", () => {
    const [, , last] = brief(traced("admin eval shift 0 5", "lua pexpire p:lock:a 10", "c1 del p:lock:a"));
    expect(last).toBeUndefined();
    expect(brief(traced("admin eval shift 0 5", "c1 del p:lock:a"))).toEqual([["a", "c1", "DEL", undefined]]);
  });
});
