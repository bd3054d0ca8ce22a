import { expect, test } from "vitest";
import { keysOf } from "../../../../../harness/lock/trace/command-keys.ts";

test.each([
  ["SET", ["k", "v", "NX"], ["k"]],
  ["DEL", ["a", "b"], ["a", "b"]],
  ["WATCH", ["a", "b"], ["a", "b"]],
  ["EVALSHA", ["sha", "2", "a", "b", "t"], ["a", "b"]],
  ["EVAL", ["text", "0", "t"], []],
  ["MSETNX", ["a", "1", "b", "2"], ["a", "b"]],
  ["FLUSHALL", ["ASYNC"], []],
  ["MULTI", [], []],
])("the keys of %s %j", (command, args, keys) => {
  expect(keysOf(command, args)).toEqual(keys);
});
