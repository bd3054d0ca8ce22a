import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeState, encodeState } from "../../../../../workloads/crdts/types/codec.ts";

describe("the codec of states", () => {
  it("keeps what JSON loses", () => {
    const state = [Number.NaN, -0, Number.NEGATIVE_INFINITY, undefined, null, "", [], {}, 12n, { a: undefined }];
    const decoded = decodeState(encodeState(state)) as unknown[];
    expect(decoded).toEqual(state);
    expect(Object.is(decoded[1], -0)).toBe(true);
    expect("a" in (decoded[9] as object)).toBe(true);
  });

  it("keeps keys that mean something elsewhere", () => {
    const text = '{"__proto__":1,"constructor":2,"":3,"$":4,"$number":"5","$$undefined":6}';
    const state = JSON.parse(text);
    const decoded = decodeState(encodeState(state)) as object;
    expect(JSON.stringify(decoded)).toBe(text);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect(decodeState(encodeState({ $number: "5" }))).toEqual({ $number: "5" });
  });

  it("returns any data as it was", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withSparseArray: false, withNullPrototype: false }), (state) => {
        fc.pre(!containsSymbolsOrFunctions(state));
        expect(decodeState(encodeState(state))).toEqual(state);
      }),
    );
  });

  it("refuses what is no data, and text that it did not write", () => {
    expect(() => encodeState(() => 1)).toThrow("no data");
    expect(() => decodeState('{"$odd":1}')).toThrow("$odd");
    expect(() => decodeState("{")).toThrow(SyntaxError);
  });
});

function containsSymbolsOrFunctions(value: unknown): boolean {
  if (typeof value === "symbol" || typeof value === "function") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsSymbolsOrFunctions);
}
