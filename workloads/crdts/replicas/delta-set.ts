import { addChange, deltaSet, type LiveAdds, removeChange, type SetChange } from "../types/delta-set.ts";
import { nextTag } from "../types/version-vector.ts";
import { type ByDelta, byDelta } from "./by-delta.ts";
import { pureAdapter } from "./pure-adapter.ts";

export const deltaSetParts: ByDelta<LiveAdds, SetChange> = {
  name: "delta-set",
  summary: "the add-wins set by deltas, without tombstones: what is known and not there was removed",
  fields: [{ name: "elements", type: "set", conflict: "add-wins" }],
  delta: deltaSet,
  change: ({ state, version }, { kind, element }, region) =>
    kind === "add" ? addChange(state, element, nextTag(version, region)) : removeChange(state, element),
  show: ({ keys }) => ({ elements: keys }),
};

export const createAdapter = () => pureAdapter(byDelta(deltaSetParts));
