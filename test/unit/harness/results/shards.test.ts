import { describe, expect, test } from "vitest";
import { completeShards, refuseDifferent } from "../../../../harness/results/shards.ts";

const part = (index: number, count: number, source = `part-${index + 1}`) => ({ shard: { index, count }, source });

describe("the parts of a whole", () => {
  test("come in their order", () => {
    expect(completeShards([part(2, 3), part(0, 3), part(1, 3)]).map(({ source }) => source)).toEqual([
      "part-1",
      "part-2",
      "part-3",
    ]);
  });

  test.each([
    [[], /nothing to merge/],
    [[part(0, 2)], /Part 2\/2 is missing/],
    [[part(1, 4), part(2, 4)], /Parts 1\/4, 4\/4 are missing/],
    [[part(0, 20)], /and 11 more are missing/],
    [[part(0, 2), part(1, 2), part(1, 2, "copy")], /Part 2\/2 is there twice, and would count twice: part-2 and copy/],
    [[part(0, 2), part(1, 3)], /part 1\/2 and part-2 is part 2\/3: they are not of one division/],
  ])("%j is refused", (parts, message) => {
    expect(() => completeShards(parts)).toThrow(message);
  });

  test("must agree, and the first difference is named", () => {
    const parts = [
      { source: "a", seed: 1, ops: undefined },
      { source: "b", seed: 2, ops: 60 },
    ];
    const whole = ({ seed }: { seed: number }) => ({ seed });
    expect(() => refuseDifferent(parts, whole)).toThrow(
      "a and b are no parts of one whole: seed is 1 in the one and 2 in the other.",
    );
    expect(() => refuseDifferent(parts, ({ ops }) => ({ ops }))).toThrow("ops is not given in the one and 60");
    expect(() => refuseDifferent(parts, () => ({}))).not.toThrow();
  });
});
