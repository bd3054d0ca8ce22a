import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprint } from "../../../../../harness/converge/equality/fingerprint.ts";
import { same } from "../../../../../harness/converge/equality/same.ts";
import { show } from "../../../../../harness/converge/equality/show.ts";

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true });

describe("same", () => {
  test("tells NaN, -0, undefined and missing apart, and finds them equal to themselves", () => {
    expect(same(Number.NaN, Number.NaN)).toBe(true);
    expect(same(-0, 0)).toBe(false);
    expect(same({ a: undefined }, {})).toBe(false);
    expect(same({ a: undefined }, { a: undefined })).toBe(true);
    expect(same([], {})).toBe(false);
    expect(same({}, [])).toBe(false);
    expect(same(null, {})).toBe(false);
  });

  test("does not mind the order of keys, nor the prototype", () => {
    expect(same({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(same(Object.assign(Object.create(null), { a: 1 }), { a: 1 })).toBe(true);
    expect(same(JSON.parse('{"__proto__": 1}'), {})).toBe(false);
    expect(same(JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'))).toBe(true);
  });

  test("compares maps, sets, dates and bytes by what is in them", () => {
    expect(same(new Map([["a", [1]]]), new Map([["a", [1]]]))).toBe(true);
    expect(same(new Map([["a", 1]]), new Map([["a", 2]]))).toBe(false);
    expect(same(new Set([1, 2]), new Set([2, 1]))).toBe(true);
    expect(same(new Date(1), new Date(1))).toBe(true);
    expect(same(new Uint8Array([1, 2]), new Uint8Array([1, 2]))).toBe(true);
    expect(same(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false);
    expect(same(new Map(), {})).toBe(false);
  });

  test("a value is the same as its copy, and has the same fingerprint and text", () => {
    fc.assert(
      fc.property(fc.clone(anything, 2), ([a, b]) => {
        expect(same(a, b)).toBe(true);
        expect(fingerprint(a)).toBe(fingerprint(b));
        expect(show(a)).toBe(show(b));
      }),
    );
  });
});

test("a fingerprint sees every change, the order of keys included", () => {
  const prints = [0, -0, Number.NaN, undefined, null, "", [], {}, [[]], { a: 1 }, { a: 2 }, { b: 1 }, "a", ["a"]].map(
    fingerprint,
  );
  expect(new Set(prints).size).toBe(prints.length);
  expect(fingerprint({ a: 1, b: 2 })).not.toBe(fingerprint({ b: 2, a: 1 }));
});

test("values are shown as one would write them", () => {
  const value = { b: [Number.NaN, -0, undefined, null, ""], a: { __proto__: null, x: 1n }, "1": new Set(["é"]) };
  expect(show(value)).toBe('{"1": Set["é"], a: {x: 1n}, b: [NaN, -0, undefined, null, ""]}');
  expect(show("x".repeat(5_000))).toMatch(/\.\.\. \(5002 characters\)$/);
});

test("a fingerprint sees every byte, wherever it stands and however long the rest is", () => {
  for (let length = 1; length <= 9; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => 250 + at);
    const prints = [fingerprint(bytes), fingerprint(bytes.subarray(1)), fingerprint(Uint8Array.of(...bytes, 0))];
    for (let at = 0; at < length; at++) prints.push(fingerprint(bytes.with(at, bytes[at]! ^ 1)));
    expect(new Set(prints).size).toBe(3 + length);
  }
});
