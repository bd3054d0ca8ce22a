import { expect, test } from "vitest";
import { parseWorkloadText } from "../../../../harness/cli/workload-text.ts";

test.each([
  ["set-nx", { place: "set-nx", isFile: false, options: {} }],
  ["./my-lock.ts", { place: "./my-lock.ts", isFile: true, options: {} }],
  ["my-lock.cjs", { place: "my-lock.cjs", isFile: true, options: {} }],
  [
    "my-lock.ts(retries=3, fast=true, every=2s, name='a b')",
    { place: "my-lock.ts", isFile: true, options: { retries: 3, fast: true, every: "2s", name: "a b" } },
  ],
])("%s", (text, parsed) => {
  expect(parseWorkloadText(text)).toEqual(parsed);
});

test("an option that counts in ms takes a unit", () => {
  expect(parseWorkloadText("set-nx-renewing(renewEveryMs=2s)").options).toEqual({ renewEveryMs: 2_000 });
  expect(parseWorkloadText("set-nx-renewing(renewEveryMs=500)").options).toEqual({ renewEveryMs: 500 });
  expect(() => parseWorkloadText("x(renewEveryMs=soon)")).toThrow('"soon" is no duration');
});

test("an option without a value is refused", () => {
  expect(() => parseWorkloadText("set-nx(retries)")).toThrow('"retries" is no option; write name=value.');
});
