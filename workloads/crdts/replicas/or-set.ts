import { addToSet, emptySet, mergeSets, type OrSet, removeFromSet, setValues } from "../types/or-set.ts";
import { type PureType, pureAdapter } from "./pure-adapter.ts";

export interface TaggingSet {
  readonly set: OrSet;
  /** How many tags this region used up. */
  readonly sequence: number;
}

export const orSetType: PureType<TaggingSet, OrSet> = {
  name: "or-set",
  summary: "a set in which an add wins over a concurrent remove; its tombstones stay",
  fields: [{ name: "elements", type: "set", conflict: "add-wins" }],
  initial: () => ({ set: emptySet(), sequence: 0 }),
  apply({ set, sequence }, { kind, element }, { id }) {
    if (kind === "remove") return { set: removeFromSet(set, element), sequence };
    return { set: addToSet(set, element, { region: id, sequence: sequence + 1 }), sequence: sequence + 1 };
  },
  message: ({ set }) => set,
  receive(ours, theirs) {
    const set = mergeSets(ours.set, theirs);
    return set === ours.set ? ours : { set, sequence: ours.sequence };
  },
  show: ({ set }) => ({ elements: setValues(set) }),
  essence: ({ set }) => set,
};

export const createAdapter = () => pureAdapter(orSetType);
