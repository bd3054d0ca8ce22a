import { expect, test } from "vitest";
import { option } from "../../../../harness/config/option.ts";
import { withoutOverridden } from "../../../../harness/config/overridden.ts";
import { fromEnvironment, fromFlags, type Given, resolveOptions } from "../../../../harness/config/resolve.ts";
import { duration, whole } from "../../../../harness/config/value-types.ts";

const group = "x";
const table = {
  schedules: option({ group, type: whole(), summary: "x" }),
  time: option({ group, type: duration(), summary: "x", whenAbsent: "10s" }),
  regions: option({ group, type: whole(), summary: "x", default: "3" }),
} as const;
const overrides = { schedules: ["time"], time: ["schedules"] } as const;

const file = (texts: Given["texts"]): Given => ({ kind: "file", nameOf: (key) => `harness.config.ts: ${key}`, texts });
const resolve = (...sources: Given[]) => withoutOverridden(table, resolveOptions(table, sources), overrides);

test("a limit of a stronger source counts without the one that a weaker source gave", () => {
  const { values, texts, origins } = resolve(fromFlags({ schedules: ["64"] }), file({ time: ["10s"], regions: ["4"] }));
  expect(values).toEqual({ schedules: 64, time: undefined, regions: 4 });
  expect(texts.time).toBeUndefined();
  expect(origins.time).toEqual({ kind: "default", detail: "10s" });
});

test("the environment is stronger than the file, and weaker than the command line", () => {
  const environment = fromEnvironment(table, { HARNESS_SCHEDULES: "64" });
  expect(resolve(environment, file({ time: ["10s"] })).values).toMatchObject({ schedules: 64, time: undefined });
  expect(resolve(fromFlags({ time: ["5s"] }), environment).values).toMatchObject({ schedules: undefined, time: 5_000 });
});

test("limits of one source count together", () => {
  const both = { schedules: ["64"], time: ["10s"] };
  for (const source of [fromFlags(both), file(both)]) {
    expect(resolve(source).values).toMatchObject({ schedules: 64, time: 10_000 });
  }
});
