import { expect, it } from "vitest";
import { targetText } from "../../../../reports/lock/targets.ts";

it.each([
  ["node:1", "node:1"],
  ["worker:1 worker:2", "worker:1 and worker:2"],
  ["client:1-node:1 client:2-node:1 client:3-node:1", "3 connections"],
  ["worker:1 worker:2 worker:3", "3 workers"],
  ["worker:1 node:1 client:1-node:1", "3 targets"],
])("%s is %s", (target, text) => {
  expect(targetText(target)).toBe(text);
});
