import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CounterOperation,
  counterEffect,
  emptyOpCounter,
  incrementOperation,
  type OpCounter,
  opCounterValue,
  resetOperation,
} from "../../../../../workloads/crdts/types/op-counter.ts";
import {
  emptyOpSet,
  type OpSet,
  removeOperation,
  type SetOperation,
  setEffect,
} from "../../../../../workloads/crdts/types/op-set.ts";
import {
  emptyOperationState,
  issue,
  type LoggedOperation,
  type OperationState,
  operationsSince,
  ownOperations,
  receiveOperations,
} from "../../../../../workloads/crdts/types/operation-log.ts";
import { emptyVersion } from "../../../../../workloads/crdts/types/version-vector.ts";

const emptyCounter: OperationState<OpCounter, CounterOperation> = emptyOperationState(emptyOpCounter());
type SetState = OperationState<OpSet, SetOperation>;
const empty: SetState = emptyOperationState(emptyOpSet());
const add = (set: SetState, region: string, element: string) => issue(set, setEffect, region, { kind: "add", element });
const remove = (set: SetState, region: string, element: string) =>
  issue(set, setEffect, region, removeOperation(set.state, element));
const receive = (set: SetState, operations: readonly LoggedOperation<SetOperation>[]) =>
  receiveOperations(set, setEffect, operations);

describe("operations", () => {
  it("wait for their causes: a remove that arrives before its add", () => {
    const added = add(empty, "fra", "x");
    const removed = remove(receive(empty, added.log), "cai", "x");
    const early = receive(empty, ownOperations(removed, "cai", 1, 1));
    expect(early.state.keys).toEqual([]);
    expect(early.pending).toHaveLength(1);
    const settled = receive(early, added.log);
    expect(settled.state.keys).toEqual([]);
    expect(settled.pending).toEqual([]);
    expect(settled.version).toEqual(removed.version);
  });

  it("are applied once, however often they arrive", () => {
    const counter = issue(emptyCounter, counterEffect, "fra", incrementOperation(3));
    const again = receiveOperations(counter, counterEffect, [...counter.log, ...counter.log]);
    expect(again).toBe(counter);
    const elsewhere = receiveOperations(emptyCounter, counterEffect, [...counter.log, ...counter.log]);
    expect(opCounterValue(elsewhere.state)).toBe(3);
  });

  it("reset what was seen and nothing else", () => {
    const start = issue(emptyCounter, counterEffect, "fra", incrementOperation(5));
    const cairo = receiveOperations(emptyCounter, counterEffect, start.log);
    const reset = issue(cairo, counterEffect, "cai", resetOperation(cairo.state, cairo.version));
    const meanwhile = issue(start, counterEffect, "fra", incrementOperation(2));
    for (const merged of [
      receiveOperations(reset, counterEffect, meanwhile.log),
      receiveOperations(meanwhile, counterEffect, reset.log),
    ]) {
      expect(opCounterValue(merged.state)).toBe(2);
    }
    expect(() => incrementOperation(0.5)).toThrow(TypeError);
  });

  it("lead to the same state in any order, with repetitions", () => {
    const step = fc.record({ add: fc.boolean(), at: fc.nat(2), from: fc.nat(2), element: fc.constantFrom("x", "y") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), fc.infiniteStream(fc.nat()), (steps, picks) => {
        const regions = ["cai", "fra", "iad"];
        const sets = regions.map(() => empty);
        for (const { add: adds, at, from, element } of steps) {
          const told = receive(sets[at] as SetState, (sets[from] as SetState).log);
          sets[at] = (adds ? add : remove)(told, regions[at] as string, element);
        }
        const whole = sets.reduce((merged, set) => receive(merged, set.log));
        let shuffled = empty;
        const waiting = [...whole.log, ...whole.log];
        for (const pick of picks) {
          if (waiting.length === 0) break;
          const [operation] = waiting.splice(pick % waiting.length, 1);
          shuffled = receive(shuffled, [operation as LoggedOperation<SetOperation>]);
        }
        expect(shuffled.state).toEqual(whole.state);
        expect(shuffled.version).toEqual(whole.version);
        expect(shuffled.pending).toEqual([]);
        expect(operationsSince(whole, whole.version)).toEqual([]);
        expect(operationsSince(whole, emptyVersion())).toEqual(whole.log);
      }),
    );
  });
});
