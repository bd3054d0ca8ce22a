import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addToCollectedSet,
  type CollectedSet,
  collectedSetValues,
  collectTombstones,
  countTombstones,
  emptyCollectedSet,
  mergeCollectedSets,
  removeFromCollectedSet,
  stableCut,
} from "../../../../../workloads/crdts/types/collected-set.ts";
import { deepFreeze } from "./arbitrary.ts";

const REGIONS = ["cai", "fra", "iad"] as const;

const collect = (set: CollectedSet) => collectTombstones(set, stableCut(set, REGIONS));

function exchange(states: CollectedSet[]): CollectedSet[] {
  const snapshot = [...states];
  return states.map((state, index) =>
    snapshot.reduce((merged, other) => mergeCollectedSets(REGIONS[index] as string, merged, other), state),
  );
}

describe("the set that collects its tombstones", () => {
  it("keeps a tombstone until every region has seen it, then drops it with its add", () => {
    let states = [addToCollectedSet(emptyCollectedSet(), "cai", "x"), emptyCollectedSet(), emptyCollectedSet()];
    states = exchange(states);
    states[0] = removeFromCollectedSet(states[0] as CollectedSet, "cai", "x");
    states[1] = mergeCollectedSets("fra", states[1] as CollectedSet, states[0]);
    expect(countTombstones(collect(states[1] as CollectedSet))).toBe(1);
    states = exchange(exchange(states)).map(collect);
    expect(states.map(countTombstones)).toEqual([0, 0, 0]);
    expect(states.map(collectedSetValues)).toEqual([[], [], []]);
    expect(states.map(({ elements }) => elements.keys)).toEqual([[], [], []]);
  });

  it("ignores an old state after the collection", () => {
    const old = addToCollectedSet(emptyCollectedSet(), "cai", "x");
    let states = exchange([old, emptyCollectedSet(), emptyCollectedSet()]);
    states[1] = removeFromCollectedSet(states[1] as CollectedSet, "fra", "x");
    states = exchange(exchange(states)).map(collect);
    expect(states.map((state) => collectedSetValues(mergeCollectedSets("fra", state, old)))).toEqual([[], [], []]);
  });

  it("takes a collected add for dead even if it arrives beside something new", () => {
    const old = addToCollectedSet(emptyCollectedSet(), "cai", "x");
    let states = exchange([old, emptyCollectedSet(), emptyCollectedSet()]);
    // An old snapshot, never delivered so far, with the add of x and an add of y that nobody else has.
    const oldWithNews = mergeCollectedSets("dub", old, addToCollectedSet(emptyCollectedSet(), "dub", "y"));
    states[1] = removeFromCollectedSet(states[1] as CollectedSet, "fra", "x");
    states = exchange(exchange(states)).map(collect);
    expect(collectedSetValues(mergeCollectedSets("fra", states[1] as CollectedSet, oldWithNews))).toEqual(["y"]);
  });

  it("shows what the known adds and removes say, under any schedule of messages and collections", () => {
    const step = fc.record({
      kind: fc.constantFrom("add", "remove", "send", "deliver", "collect"),
      region: fc.nat(2),
      element: fc.constantFrom("x", "y"),
      pick: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const states: CollectedSet[] = REGIONS.map(emptyCollectedSet);
        // The truth: names of known operations, and which adds a remove saw.
        const known = REGIONS.map(() => new Set<number>());
        const operations: { add?: string; takes?: readonly number[] }[] = [];
        const messages: { state: CollectedSet; known: ReadonlySet<number> }[] = [];
        const alive = (at: number, element: string) => {
          const knownHere = [...(known[at] as Set<number>)];
          const taken = new Set(knownHere.flatMap((id) => operations[id]?.takes ?? []));
          return knownHere.filter((id) => operations[id]?.add === element && !taken.has(id));
        };
        for (const { kind, region: at, element, pick } of steps) {
          const name = REGIONS[at] as string;
          const state = deepFreeze(states[at] as CollectedSet);
          if (kind === "add") {
            known[at]?.add(operations.push({ add: element }) - 1);
            states[at] = addToCollectedSet(state, name, element);
          } else if (kind === "remove") {
            const takes = alive(at, element);
            if (takes.length > 0) known[at]?.add(operations.push({ takes }) - 1);
            states[at] = removeFromCollectedSet(state, name, element);
          } else if (kind === "send") messages.push({ state, known: new Set(known[at]) });
          else if (kind === "collect") states[at] = collect(state);
          else if (messages.length > 0) {
            const message = messages[pick % messages.length] as (typeof messages)[number];
            states[at] = mergeCollectedSets(name, state, message.state);
            for (const id of message.known) known[at]?.add(id);
          }
          const expected = ["x", "y"].filter((each) => alive(at, each).length > 0);
          expect(collectedSetValues(states[at] as CollectedSet)).toEqual(expected);
        }
        const settled = exchange(exchange(states));
        expect(new Set(settled.map((state) => JSON.stringify(collectedSetValues(state)))).size).toBe(1);
        expect(exchange(settled)).toEqual(settled);
      }),
      { numRuns: 3000 },
    );
  });
});
