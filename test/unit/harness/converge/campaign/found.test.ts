import fc from "fast-check";
import { expect, test } from "vitest";
import { Found } from "../../../../../harness/converge/campaign/found.ts";

const failure = fc.record({ oracle: fc.constantFrom("A", "B"), index: fc.nat(1_000) });

test("what is found does not depend on who found it, nor in which order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(failure, { selector: ({ index }) => index }), fc.nat(), (failures, cut) => {
      const whole = new Found();
      for (const { oracle, index } of failures) whole.add(oracle, index);
      const [one, other] = [new Found(), new Found()];
      failures.forEach(({ oracle, index }, at) => void (at % 3 === cut % 3 ? one : other).add(oracle, index));
      const joined = new Found();
      joined.take(other.numbers());
      joined.take(one.numbers());
      expect(joined.counts()).toEqual(whole.counts());
      expect(joined.first()).toEqual(whole.first());
      expect(joined.total).toBe(failures.length);
    }),
  );
});

test("the first ten of each oracle are kept, by index", () => {
  const found = new Found();
  for (let index = 30; index > 0; index--) found.add(index % 2 === 0 ? "EVEN" : "ODD", index);
  const even = found.first().filter(({ oracle }) => oracle === "EVEN");
  expect(even.map(({ index }) => index)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  expect(found.counts()).toEqual({ EVEN: 15, ODD: 15 });
});
