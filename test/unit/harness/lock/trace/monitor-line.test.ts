import { describe, expect, test } from "vitest";
import { parseMonitorLine } from "../../../../../harness/lock/trace/monitor-line.ts";

const words = (text: string) => parseMonitorLine(`+1700000000.000001 [0 127.0.0.1:5000] ${text}`)?.words;

describe("a line of MONITOR", () => {
  test("time, database, client and words", () => {
    expect(parseMonitorLine('+1700000000.123456 [3 127.0.0.1:51234] "set" "k" "v" "PX" "1000"')).toEqual({
      serverMs: 1_700_000_000_123.456,
      db: 3,
      client: "127.0.0.1:51234",
      words: ["set", "k", "v", "PX", "1000"],
    });
  });

  test.each([
    ['1700000000.1 [0 lua] "get" "k"', "lua"],
    ['1700000000.1 [0 unix:/tmp/redis.sock] "ping"', "unix:/tmp/redis.sock"],
    ['1700000000.1 [0 [::1]:6379] "ping"', "[::1]:6379"],
  ])("who sent %s", (line, client) => {
    expect(parseMonitorLine(line)?.client).toBe(client);
  });

  test("microseconds are kept, to the last", () => {
    expect(parseMonitorLine('1700000000.000007 [0 lua] "get" "k"')?.serverMs).toBe(1_700_000_000_000.007);
    expect(parseMonitorLine('1700000000.999999 [0 lua] "get" "k"')?.serverMs).toBe(1_700_000_000_999.999);
  });

  test("escapes: quotes, backslashes, control characters, bytes", () => {
    expect(words(String.raw`"set" "a\"b" "c\\d"`)).toEqual(["set", 'a"b', "c\\d"]);
    expect(words(String.raw`"a\n\r\t\a\bz"`)).toEqual(["a\n\r\t\x07\bz"]);
    expect(words(String.raw`"\x00\x7f" "g\xc3\xbcnstig"`)).toEqual(["\x00\x7f", "günstig"]);
    expect(words(String.raw`"ends with \\" "next"`)).toEqual(["ends with \\", "next"]);
  });

  test("what looks like the end of a word inside one is not", () => {
    expect(words(String.raw`"\" \"" "x"`)).toEqual(['" "', "x"]);
  });

  test("empty words", () => {
    expect(words('"set" "" "v"')).toEqual(["set", "", "v"]);
  });

  test.each(["+OK", "", '+1700000000.1 [0 lua] "torn', '+1700000000.1 [0 lua] "a" b', "-ERR unknown"])(
    "%s is none",
    (line) => {
      expect(parseMonitorLine(line)).toBeUndefined();
    },
  );
});
