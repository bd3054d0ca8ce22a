import { orSetType, type TaggingSet } from "../replicas/or-set.ts";
import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import type { OrSet } from "../types/or-set.ts";
import { mapGet } from "../types/sorted-map.ts";
import { hasTag, NO_TAGS, type Tags, unionTags } from "../types/tag.ts";
import { mutant } from "./shared/mutant.ts";

interface ViewedSet extends TaggingSet {
  /** Adds that the live view hides. */
  readonly hidden: Tags;
}

const head = mutant(
  "view-without-state",
  "Users see the removal at once in the live view, and the state may follow later",
  "LIVE-RELOAD",
  "RESURRECTED",
);

const viewWithoutState: PureType<ViewedSet, OrSet> = {
  ...head,
  fields: orSetType.fields,
  initial: (context) => ({ ...orSetType.initial(context), hidden: NO_TAGS }),
  apply(state, operation, context) {
    if (operation.kind === "add") {
      return { ...(orSetType.apply(state, operation, context) as TaggingSet), hidden: state.hidden };
    }
    return { ...state, hidden: unionTags(state.hidden, mapGet(state.set, operation.element)?.live ?? NO_TAGS) };
  },
  message: ({ set }) => set,
  receive: (state, theirs, context) => ({
    ...(orSetType.receive(state, theirs, context) as TaggingSet),
    hidden: state.hidden,
  }),
  show: ({ set, hidden }) => ({
    elements: set.keys.filter((_, at) => set.values[at]?.live.some((tag) => !hasTag(hidden, tag))),
  }),
  essence: ({ set }) => set,
  save: (state) => ({ ...state, hidden: NO_TAGS }),
};

export const createAdapter = () => pureAdapter(viewWithoutState);
