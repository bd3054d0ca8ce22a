import { expect, test } from "vitest";
import { didYouMean, nearestName } from "../../../../harness/config/nearest.ts";

const names = ["redis-pause", "worker-stop", "worker-clock", "jitter"];

test.each([
  ["redis-puase", "redis-pause"],
  ["jiter", "jitter"],
  ["Jitter", "jitter"],
  ["redis", "redis-pause"],
  ["worker-stopp", "worker-stop"],
])("%s means %s", (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

test("nothing is offered for what is like nothing", () => {
  expect(nearestName("xyz", names)).toBeUndefined();
});

test("the hint is the nearest name, or all there are", () => {
  expect(didYouMean("jiter", names)).toBe(' Did you mean "jitter"?');
  expect(didYouMean("xyz", ["a1", "b2"])).toBe(" There is: a1, b2.");
  expect(didYouMean("xyz", [])).toBe("");
});
