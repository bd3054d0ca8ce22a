import { expect, test } from "vitest";
import { sentence } from "../../../../harness/results/sentence.ts";

test.each([
  ["interrupted by SIGINT", "Interrupted by SIGINT."],
  ["redis://127.0.0.1:1 cannot be used", "redis://127.0.0.1:1 cannot be used."],
  ["set-nx is gone", "set-nx is gone."],
  ["worker:1 died!", "worker:1 died!"],
  ["only", "Only."],
])("%s: names stay as they are", (text, expected) => {
  expect(sentence(text)).toBe(expected);
});
