import { expect, test } from "vitest";
import { nextToBegin, type Waiting } from "../../../../harness/matrix/next-to-begin.ts";

const queueOf = (...weights: number[]): Waiting<number>[] => weights.map((item) => ({ item, overtaken: 0 }));
const itself = (weight: number) => weight;

test("the first that fits is taken from its queue, earlier queues before later ones", () => {
  const [again, first] = [queueOf(5, 2), queueOf(1, 3)];
  expect(nextToBegin([again, first], 3, itself)).toBe(2);
  expect(nextToBegin([again, first], 3, itself)).toBe(1);
  expect(nextToBegin([again, first], 2, itself)).toBeUndefined();
  expect([again, first].map((queue) => queue.map(({ item }) => item))).toEqual([[5], [3]]);
});

test("one that does not fit is overtaken for a while, and then waited for", () => {
  const queue = queueOf(4, ...Array.from({ length: 30 }, () => 1));
  let overtook = 0;
  while (nextToBegin([queue], 3, itself) !== undefined) overtook += 1;
  expect(overtook).toBeGreaterThan(1);
  expect(overtook).toBeLessThan(30);
  expect(nextToBegin([queue], 4, itself)).toBe(4);
  expect(nextToBegin([queue], 1, itself)).toBe(1);
});
