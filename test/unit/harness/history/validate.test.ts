import fc from "fast-check";
import { expect, test } from "vitest";
import { historyEventSchema, OPERATIONS, PHASES } from "../../../../harness/history/event-schema.ts";
import { problemOf } from "../../../../harness/history/validate.ts";

const anything = fc.oneof(
  fc.constantFrom(undefined, null, true, "", "x", 0, 1.5, -1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
  fc.constantFrom<unknown>([], {}, { a: 1 }, [1]),
  fc.anything(),
);

const event = fc.record(
  {
    atNs: fc.maxSafeInteger(),
    round: fc.integer(),
    arm: fc.string(),
    op: fc.constantFrom(...OPERATIONS),
    phase: fc.constantFrom(...PHASES),
    worker: fc.nat(),
    incarnation: fc.nat(),
    wallMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
    execution: fc.string(),
    key: fc.string(),
    job: fc.string(),
    attempt: fc.nat(),
    token: fc.string(),
    fencingToken: fc.nat(),
    validUntilMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
    outcome: fc.string(),
    error: fc.string(),
    detail: fc.dictionary(fc.string(), fc.jsonValue()),
    unknownField: fc.jsonValue(),
  },
  { requiredKeys: ["atNs", "round", "arm", "op", "phase", "worker"] },
);

test("events of the contract pass both the schema and the hand-written validation", () => {
  fc.assert(
    fc.property(event, (value) => {
      expect(problemOf(value)).toBeUndefined();
      expect(historyEventSchema.safeParse(value).success).toBe(true);
    }),
  );
});

test("with any one field replaced by anything, both agree", () => {
  const fields = Object.keys(historyEventSchema.shape);
  fc.assert(
    fc.property(event, fc.constantFrom(...fields), anything, (value, field, replacement) => {
      const changed = { ...value, [field]: replacement };
      expect(problemOf(changed) === undefined).toBe(historyEventSchema.safeParse(changed).success);
    }),
    { numRuns: 3000 },
  );
});

test("with any one field missing, and for what is no event at all, both agree", () => {
  for (const field of Object.keys(historyEventSchema.shape)) {
    const whole = { atNs: 1, round: 1, arm: "a", op: "lost", phase: "info", worker: 1 };
    const { [field as "atNs"]: _, ...rest } = whole;
    expect(problemOf(rest) === undefined).toBe(historyEventSchema.safeParse(rest).success);
  }
  for (const value of [null, undefined, 1, "x", [], {}, true]) {
    expect(problemOf(value)).toBeTypeOf("string");
    expect(historyEventSchema.safeParse(value).success).toBe(false);
  }
});

test("the problem names the field and the value", () => {
  const value = { atNs: 1.5, round: 1, arm: "a", op: "lost", phase: "info", worker: 1 };
  expect(problemOf(value)).toBe("atNs is 1.5, not an integer");
  expect(problemOf({ ...value, atNs: 1, op: "borrow" })).toBe('op is "borrow", not an operation');
});
