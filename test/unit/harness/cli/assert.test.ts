import { expect, test } from "vitest";
import { assertConverges, assertHolds } from "../../../../harness/cli/assert.ts";
import { UsageError } from "../../../../harness/errors.ts";
import { convergeResult, failedConvergeResult } from "../../../fixtures/results/converge-result.ts";
import { lockResult } from "../../../fixtures/results/lock-result.ts";

test("a result that shows it passes, one that shows the opposite throws an AssertionError", () => {
  assertHolds(lockResult());
  assertConverges(convergeResult());
  expect(() => assertConverges(failedConvergeResult())).toThrow(expect.objectContaining({ name: "AssertionError" }));
});

test.each([
  [{}, /^assertConverges judges a result of converge; this is an object of another kind\.$/],
  [null, /this is null\.$/],
  [undefined, /this is undefined\.$/],
  ["document", /this is a string\.$/],
  [[convergeResult()], /this is an array\.$/],
  [Promise.resolve(convergeResult()), /this is a promise: await it\.$/],
  [lockResult(), /this is one of the kind lock\.$/],
  [{ kind: "converge" }, /this one is not whole: schema: expected "harness.result\/1" \(and \d+ more\)\.$/],
])("what is no result of converge is refused, with what it is: %o", (value, message) => {
  const judge = () => assertConverges(value as never);
  expect(judge).toThrow(UsageError);
  expect(judge).toThrow(message);
});

test("so is what is no result of runLock or runMatrix", () => {
  expect(() => assertHolds(Promise.resolve(lockResult()) as never)).toThrow(
    "assertHolds judges a result of runLock or runMatrix; this is a promise: await it.",
  );
});
