import { expect, test } from "vitest";
import { z } from "zod";
import { HarnessError, messageOf, UnavailableError, UsageError } from "../../../harness/errors.ts";

test("each kind of error carries the exit code that the command ends with", () => {
  expect(new UsageError("a")).toMatchObject({ name: "UsageError", exitCode: 64, code: "USAGE" });
  expect(new UnavailableError("b", { code: "NO_REDIS" })).toMatchObject({ exitCode: 69, code: "NO_REDIS" });
  expect(new UsageError("a")).toBeInstanceOf(HarnessError);
});

test("anything thrown has a message", () => {
  expect(messageOf(new TypeError("no such key"))).toBe("no such key");
  expect(messageOf("plain")).toBe("plain");
  expect(messageOf({ code: 3 })).toBe('{"code":3}');
  expect(messageOf(undefined)).toBe("undefined");
});

test.each([
  [undefined, "it: expected object, received undefined"],
  [{}, "a is missing"],
  [{ a: "x" }, "a: expected number, received string"],
  [{ a: 1, b: 1 }, "b.0 is missing"],
])("what a schema refuses is one sentence, and no JSON: %j", (value, message) => {
  const schema = z.object({ a: z.number(), b: z.preprocess(() => [undefined], z.tuple([z.string()])).optional() });
  const refused = schema.safeParse(value);
  expect(messageOf(refused.error)).toMatch(message);
});
