import { expect, test } from "vitest";
import { saidOf } from "../../../../../harness/cli/turns/play-round.ts";

test.each([
  ["--lock nope", "--lock nope: no such lock.", "--lock nope: no such lock."],
  ["converge --regions 1", "--regions 1: write 2 or more.", "converge --regions 1: write 2 or more."],
  ["--lock a --ttl 1s", "--lock a: no such lock.", "--lock a --ttl 1s: --lock a: no such lock."],
  ["../base", "There is no Redis.", "../base: There is no Redis."],
])("what the side %j says has its option once", (label, said, message) => {
  expect(saidOf(label, said)).toBe(message);
});
