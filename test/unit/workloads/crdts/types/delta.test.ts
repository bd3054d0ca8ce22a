import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyChange,
  type DeltaState,
  deltaSince,
  emptyDeltaState,
  mergeDeltaStates,
  ownDelta,
  receiveDelta,
} from "../../../../../workloads/crdts/types/delta.ts";
import { counterChange, deltaCounter } from "../../../../../workloads/crdts/types/delta-counter.ts";
import {
  addChange,
  deltaSet,
  type LiveAdds,
  removeChange,
  type SetChange,
} from "../../../../../workloads/crdts/types/delta-set.ts";
import { counterValue } from "../../../../../workloads/crdts/types/pn-counter.ts";
import { dominates, emptyVersion, nextTag } from "../../../../../workloads/crdts/types/version-vector.ts";

type SetState = DeltaState<LiveAdds, SetChange>;

const add = (set: SetState, region: string, element: string) =>
  applyChange(deltaSet, set, region, addChange(set.state, element, nextTag(set.version, region)));
const remove = (set: SetState, region: string, element: string) =>
  applyChange(deltaSet, set, region, removeChange(set.state, element));

describe("deltas", () => {
  it("refuse to be joined where something before them is missing", () => {
    const one = add(emptyDeltaState(deltaSet), "fra", "x");
    const two = add(one, "fra", "y");
    const second = ownDelta(deltaSet, two, "fra", 2, 2);
    const first = ownDelta(deltaSet, two, "fra", 1, 1);
    if (first === undefined || second === undefined) throw new Error("Both were done.");
    expect(receiveDelta(deltaSet, emptyDeltaState(deltaSet), second)).toBe("GAP");
    const received = receiveDelta(deltaSet, emptyDeltaState(deltaSet), first);
    if (received === "GAP") throw new Error("Nothing is before the first.");
    const both = receiveDelta(deltaSet, received, second);
    expect(both).toMatchObject({ state: two.state, version: two.version });
    expect(receiveDelta(deltaSet, two, first)).toBe(two);
  });

  it("carry sums, so that a counter's change may be joined twice", () => {
    let counter = emptyDeltaState(deltaCounter);
    for (const delta of [10, -2])
      counter = applyChange(deltaCounter, counter, "cai", counterChange(counter.state, "cai", delta));
    const change = deltaSince(deltaCounter, counter, emptyVersion());
    expect(change).toBeDefined();
    const joined = deltaCounter.join(
      deltaCounter.join(deltaCounter.empty, emptyVersion(), change?.change as never),
      emptyVersion(),
      change?.change as never,
    );
    expect(counterValue(joined)).toBe(8);
  });

  it("hold nothing for a peer that knows everything", () => {
    const set = add(emptyDeltaState(deltaSet), "fra", "x");
    expect(deltaSince(deltaSet, set, set.version)).toBeUndefined();
    expect(ownDelta(deltaSet, set, "cai", 1, 1)).toBeUndefined();
  });

  it("lead to the state that whole states lead to", () => {
    const regions = ["cai", "fra", "iad"];
    const step = fc.record({
      kind: fc.constantFrom("add", "remove", "delta", "state", "own"),
      at: fc.nat(2),
      to: fc.nat(2),
      element: fc.constantFrom("x", "y"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const byDelta: SetState[] = regions.map(() => emptyDeltaState(deltaSet));
        const byState: SetState[] = [...byDelta];
        for (const { kind, at, to, element } of steps) {
          const region = regions[at] as string;
          const sender = byDelta[at] as SetState;
          const receiver = byDelta[to] as SetState;
          if (kind === "add" || kind === "remove") {
            const change = kind === "add" ? add : remove;
            byDelta[at] = change(sender, region, element);
            byState[at] = change(byState[at] as SetState, region, element);
          } else if (kind === "own") {
            const last = sender.version.values[sender.version.keys.indexOf(region)] ?? 0;
            const delta = ownDelta(deltaSet, sender, region, Math.max(1, last - 1), last);
            if (delta === undefined) continue;
            const received = receiveDelta(deltaSet, receiver, delta);
            expect(received === "GAP").toBe(
              !dominates(receiver.version, delta.upTo) && !dominates(receiver.version, delta.after),
            );
            // Joined where it fits, it is less than the whole state: told again below, so that both sides agree.
            if (received !== "GAP") byDelta[to] = received;
            byDelta[to] = mergeDeltaStates(deltaSet, byDelta[to] as SetState, sender);
            byState[to] = mergeDeltaStates(deltaSet, byState[to] as SetState, byState[at] as SetState);
          } else {
            const delta = deltaSince(deltaSet, sender, receiver.version);
            if (kind === "state") byDelta[to] = mergeDeltaStates(deltaSet, receiver, sender);
            else if (delta !== undefined) byDelta[to] = receiveDelta(deltaSet, receiver, delta) as SetState;
            byState[to] = mergeDeltaStates(deltaSet, byState[to] as SetState, byState[at] as SetState);
          }
          for (const [index, whole] of byState.entries()) {
            expect(byDelta[index]).toMatchObject({ state: whole.state, version: whole.version });
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
