import { expect, test } from "vitest";
import { balancedOrders } from "../../../../../harness/lock/plan/order.ts";

test("two arms alternate ABBA", () => {
  expect(balancedOrders(2, 4)).toEqual([
    [0, 1],
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
});

test("one arm alone", () => {
  expect(balancedOrders(1, 2)).toEqual([[0], [0]]);
});

test.each([2, 3, 4, 5, 6, 7])("%d arms: every arm at every place, and after every other, equally often", (arms) => {
  const rounds = arms % 2 === 0 ? arms : 2 * arms;
  const orders = balancedOrders(arms, rounds);
  const places = new Map<string, number>();
  const followers = new Map<string, number>();
  for (const order of orders) {
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: arms }, (_, arm) => arm));
    order.forEach((arm, place) => {
      places.set(`${arm}@${place}`, (places.get(`${arm}@${place}`) ?? 0) + 1);
      const next = order[place + 1];
      if (next !== undefined) followers.set(`${arm}>${next}`, (followers.get(`${arm}>${next}`) ?? 0) + 1);
    });
  }
  expect(places.size).toBe(arms * arms);
  expect(new Set(places.values()).size).toBe(1);
  expect(followers.size).toBe(arms * (arms - 1));
  expect(new Set(followers.values()).size).toBe(1);
});
