import { expect, test } from "vitest";
import { createKeyHolders } from "../../../../../harness/lock/mutex/key-holders.ts";

test("one holder at a time, tokens that count up over all keys, and only the token of the hold releases it", () => {
  const holders = createKeyHolders<string>();
  expect(holders.acquire("a", "w1")).toBe(1);
  expect(holders.acquire("a", "w2")).toBeUndefined();
  expect(holders.acquire("a", "w1")).toBeUndefined();
  expect(holders.acquire("b", "w2")).toBe(2);
  expect([holders.release("a", 2), holders.release("c", 1)]).toEqual([false, false]);
  expect(holders.release("a", 1)).toBe(true);
  expect(holders.release("a", 1)).toBe(false);
  expect(holders.acquire("a", "w2")).toBe(3);
});

test("who leaves holds nothing any more, and nobody else loses anything", () => {
  const holders = createKeyHolders<string>();
  holders.acquire("a", "w1");
  holders.acquire("b", "w1");
  const others = holders.acquire("c", "w2")!;
  holders.leave("w1");
  expect([holders.acquire("a", "w2"), holders.acquire("b", "w3")]).toEqual([4, 5]);
  expect(holders.acquire("c", "w3")).toBeUndefined();
  expect(holders.release("c", others)).toBe(true);
});
