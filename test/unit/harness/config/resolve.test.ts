import { expect, test } from "vitest";
import { flag, flagText, listOption, option, variableName } from "../../../../harness/config/option.ts";
import { fromEnvironment, fromFlags, type Given, resolveOptions } from "../../../../harness/config/resolve.ts";
import { splitList } from "../../../../harness/config/split-list.ts";
import { duration, oneOf, text, whole } from "../../../../harness/config/value-types.ts";
import { UsageError } from "../../../../harness/errors.ts";

const group = "Test";
const table = {
  workers: option({ group, summary: "Workers", type: whole({ max: 64 }), default: "4" }),
  commandTimeout: option({ group, summary: "Timeout", type: duration(), whenAbsent: "none" }),
  lock: listOption({ group, summary: "Locks", type: text("NAME"), default: ["set-nx"] }),
  ack: option({ group, summary: "Ack", type: oneOf("inside", "after"), default: "inside" }),
  quiet: flag({ group, summary: "Quiet" }),
  color: flag({ group, summary: "Colour", default: "true" }),
} as const;

const file: Given = {
  kind: "file",
  nameOf: (key) => `harness.config.ts: lock.${key}`,
  texts: { workers: ["6"], commandTimeout: ["1s"], ack: ["after"] },
};

test("flag goes before environment, file and default, and each value keeps its origin", () => {
  const environment = { HARNESS_WORKERS: "5", HARNESS_COMMAND_TIMEOUT: "2s", HARNESS_LOCK: "a, b(c=1, d=2)" };
  const resolved = resolveOptions(table, [fromFlags({ workers: ["8"] }), fromEnvironment(table, environment), file]);
  expect(resolved.values).toEqual({
    workers: 8,
    commandTimeout: 2_000,
    lock: ["a", "b(c=1, d=2)"],
    ack: "after",
    quiet: false,
    color: true,
  });
  expect(resolved.origins.workers).toEqual({ kind: "flag", detail: "--workers" });
  expect(resolved.origins.commandTimeout).toEqual({ kind: "environment", detail: "HARNESS_COMMAND_TIMEOUT" });
  expect(resolved.origins.ack).toEqual({ kind: "file", detail: "harness.config.ts: lock.ack" });
  expect(resolved.origins.color).toEqual({ kind: "default", detail: "" });
});

test("a repeatable option takes comma lists everywhere, unless its values hold commas of their own", () => {
  const whole = {
    faults: listOption({ group, summary: "Faults", type: text("PLAN"), split: false }),
    lock: table.lock,
  };
  const flags = fromFlags({ faults: ["a(b=1), c", "d"], lock: ["a,b", "c(d=1, e=2)"] });
  expect(resolveOptions(whole, [flags]).values).toEqual({
    faults: ["a(b=1), c", "d"],
    lock: ["a", "b", "c(d=1, e=2)"],
  });
});

test("an empty variable counts as absent", () => {
  expect(resolveOptions(table, [fromEnvironment(table, { HARNESS_WORKERS: " " })]).values.workers).toBe(4);
});

test.each([
  [fromFlags({ workers: ["0"] }), "--workers 0: 0 is too small: the least is 1."],
  [fromFlags({ workers: ["4", "5"] }), "--workers 4 5: it was given 2 times: 4 and 5."],
  [fromFlags({ ack: ["insdie"] }), '--ack insdie: "insdie" is no choice. Did you mean "inside"?'],
  [fromEnvironment(table, { HARNESS_COMMAND_TIMEOUT: "15" }), 'HARNESS_COMMAND_TIMEOUT 15: "15" has no unit'],
  [{ ...file, texts: { commandTimeout: ["0s"] } }, "harness.config.ts: lock.commandTimeout 0s: 0s is too short"],
  [fromEnvironment(table, { HARNESS_QUIET: "perhaps" }), '"perhaps" is neither true nor false'],
])("a bad value names where it was given", (source, message) => {
  expect(() => resolveOptions(table, [source as Given])).toThrow(message as string);
  expect(() => resolveOptions(table, [source as Given])).toThrow(UsageError);
});

test("names of flags and variables follow the key", () => {
  expect(flagText("commandTimeout", table.commandTimeout)).toBe("--command-timeout");
  expect(flagText("color", table.color)).toBe("--no-color");
  expect(variableName("commandTimeout")).toBe("HARNESS_COMMAND_TIMEOUT");
});

test("lists split at commas outside parentheses", () => {
  expect(splitList("a, b(c, d) ,, e")).toEqual(["a", "b(c, d)", "e"]);
});
