import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linearize } from "../../../../../harness/checks/linearizability/linearize.ts";
import { apply, FREE, type ModelOperation } from "../../../../../harness/checks/linearizability/model.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** Tries every order: the definition, written down. */
function hasAnOrder(
  operations: readonly ModelOperation[],
  state = FREE,
  left = operations.map((_, at) => at),
): boolean {
  if (left.every((position) => operations[position]!.optional)) return true;
  const mustReturnFirstNs = Math.min(
    ...left.filter((position) => !operations[position]!.optional).map((position) => operations[position]!.returnedNs),
  );
  return left.some((position) => {
    const operation = operations[position]!;
    if (operation.calledNs > mustReturnFirstNs) return false;
    const after = apply(state, operation);
    return (
      after !== undefined &&
      hasAnOrder(
        operations,
        after,
        left.filter((other) => other !== position),
      )
    );
  });
}

/** Any calls and returns, one acquire for each hold; nothing makes them fit. */
const anyHistory = fc
  .array(
    fc.record({
      hold: fc.nat(3),
      kind: fc.constantFrom<ModelOperation["kind"]>("acquire", "release", "extend", "not-owner", "refused", "expire"),
      calledNs: fc.nat(12),
      tookNs: fc.nat(6),
      optional: fc.boolean(),
    }),
    { maxLength: 7 },
  )
  .map((drafts) => {
    const acquired = new Set<number>();
    return drafts.flatMap(({ kind, hold, calledNs, tookNs, optional }): ModelOperation[] => {
      if (kind === "acquire" && acquired.has(hold)) return [];
      if (kind === "acquire") acquired.add(hold);
      const mayStayOpen = kind === "acquire" || kind === "release" || kind === "expire";
      if (kind === "expire" || (optional && mayStayOpen)) {
        return [{ kind, hold, calledNs, returnedNs: NEVER, optional: true }];
      }
      return [{ kind, hold: kind === "refused" ? FREE : hold, calledNs, returnedNs: calledNs + tookNs }];
    });
  });

/** A real lock's history: operations take effect in a legal order, each at a moment between its call and its return. */
const lawfulHistory = fc
  .array(fc.record({ choice: fc.nat(5), before: fc.nat(3), behind: fc.nat(3), forgotten: fc.boolean() }), {
    maxLength: 8,
  })
  .map((steps) => {
    const operations: ModelOperation[] = [];
    let state = FREE;
    let holds = 0;
    steps.forEach(({ choice, before, behind, forgotten }, step) => {
      const momentNs = step * 2;
      const span = { calledNs: momentNs - before, returnedNs: momentNs + behind };
      const open = { calledNs: momentNs - before, returnedNs: NEVER, optional: true };
      if (state === FREE) {
        state = holds++;
        operations.push({ kind: "acquire", hold: state, ...(forgotten ? open : span) });
      } else if (choice === 0) operations.push({ kind: "refused", hold: FREE, ...span });
      else if (choice === 1) operations.push({ kind: "extend", hold: state, ...span });
      else if (choice === 2) operations.push({ kind: "not-owner", hold: state + 1, ...span });
      else if (choice === 3) {
        operations.push({ kind: "expire", hold: state, ...open });
        state = FREE;
      } else {
        operations.push({ kind: "release", hold: state, ...(forgotten ? open : span) });
        state = FREE;
      }
    });
    return operations;
  });

describe("against every order", () => {
  test("on any small history both say the same", () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyHistory, (operations) => {
        const expected = hasAnOrder(operations);
        if (expected) accepted += 1;
        else refused += 1;
        expect(linearize(operations).linearizable).toBe(expected);
      }),
      { numRuns: 6000 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(300);
  });

  test("a lawful history is accepted, and with one operation changed both say the same", () => {
    fc.assert(
      fc.property(lawfulHistory, fc.nat(7), fc.integer({ min: -6, max: 6 }), (operations, which, byNs) => {
        expect(linearize(operations).linearizable).toBe(true);
        const changed = operations.map((operation, position) =>
          position === which
            ? { ...operation, calledNs: operation.calledNs + byNs, returnedNs: operation.returnedNs + byNs }
            : operation,
        );
        expect(linearize(changed).linearizable).toBe(hasAnOrder(changed));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("the model", () => {
  const acquire = (hold: number, calledNs: number, returnedNs: number): ModelOperation => ({
    ...{ kind: "acquire", hold, calledNs, returnedNs },
  });
  const expire = (hold: number, calledNs: number): ModelOperation => ({
    ...{ kind: "expire", hold, calledNs, returnedNs: NEVER, optional: true },
  });

  test("a second grant is legal once the first could have expired: at its return, on the dot", () => {
    expect(linearize([acquire(0, 0, 1), expire(0, 10), acquire(1, 5, 10)]).linearizable).toBe(true);
    expect(linearize([acquire(0, 0, 1), expire(0, 10), acquire(1, 5, 9)])).toMatchObject({
      linearizable: false,
      unexplained: { operation: { hold: 1 }, possible: [0] },
    });
  });

  test("an indeterminate acquire explains refusals, again and again, but only one at a time", () => {
    const unknown = (hold: number, calledNs: number): ModelOperation => ({
      ...{ kind: "acquire", hold, calledNs, returnedNs: NEVER, optional: true },
    });
    const refused = (calledNs: number): ModelOperation => ({
      ...{ kind: "refused", hold: FREE, calledNs, returnedNs: calledNs + 1 },
    });
    expect(linearize([unknown(0, 0), refused(5), refused(50)]).linearizable).toBe(true);
    expect(linearize([refused(5), unknown(0, 7)]).linearizable).toBe(false);
    expect(linearize([unknown(0, 0), refused(5), acquire(1, 7, 8)]).linearizable).toBe(false);
    expect(linearize([unknown(0, 0), expire(0, 6), refused(5), acquire(1, 7, 8)]).linearizable).toBe(true);
    // The one called first never expires: the refusal is the other's.
    const [never, soon] = [unknown(2, 0), unknown(0, 1)];
    expect(linearize([never, soon, expire(0, 0), refused(0), acquire(1, 2, 2)]).linearizable).toBe(true);
  });
});

test("100,000 operations of one key are judged", () => {
  const operations: ModelOperation[] = [];
  for (let hold = 0; operations.length < 100_000; hold += 1) {
    const atNs = hold * 100;
    operations.push({ kind: "acquire", hold, calledNs: atNs, returnedNs: atNs + 30 });
    for (let waiter = 0; waiter < 6; waiter += 1) {
      operations.push({ kind: "refused", hold: FREE, calledNs: atNs + 20 + waiter, returnedNs: atNs + 60 + waiter });
    }
    operations.push({ kind: "release", hold, calledNs: atNs + 70, returnedNs: atNs + 110 });
    operations.push({ kind: "expire", hold, calledNs: atNs + 1_000_000, returnedNs: NEVER, optional: true });
  }
  expect(linearize(operations)).toEqual({ linearizable: true });
});
