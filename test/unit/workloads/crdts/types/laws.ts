import * as fc from "fast-check";
import { expect } from "vitest";
import { deepFreeze } from "./arbitrary.ts";

/**
 * A merge is commutative, associative and idempotent, changes none of its inputs, and returns its first argument itself
 * when the second brings nothing new. `essence` picks the part of the state that the laws are about.
 */
export function holdsTheLaws<State>(
  states: fc.Arbitrary<readonly [State, State, State]>,
  merge: (a: State, b: State) => State,
  essence: (state: State) => unknown = (state) => state,
): void {
  fc.assert(
    fc.property(states, (generated) => {
      const [a, b, c] = deepFreeze(generated);
      expect(essence(merge(a, b))).toEqual(essence(merge(b, a)));
      expect(essence(merge(merge(a, b), c))).toEqual(essence(merge(a, merge(b, c))));
      expect(merge(a, a)).toBe(a);
      const both = merge(a, b);
      expect(merge(both, b)).toBe(both);
      expect(merge(both, a)).toBe(both);
    }),
    { numRuns: 500 },
  );
}
