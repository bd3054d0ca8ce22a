import type { Effect } from "./operation-log.ts";
import { emptyMap, mapGet, mapWith, mapWithout, type SortedMap } from "./sorted-map.ts";
import { NO_TAGS, type Tags, unionTags, withoutTags } from "./tag.ts";

/** An op-based add-wins set: element -> the adds that keep it in. The tag of the operation is the tag of the add. */
export type OpSet = SortedMap<Tags>;

export type SetOperation =
  | { readonly kind: "add"; readonly element: string }
  /** `adds`: those that the remover saw. */
  | { readonly kind: "remove"; readonly element: string; readonly adds: Tags };

export function emptyOpSet(): OpSet {
  return emptyMap();
}

export function removeOperation(set: OpSet, element: string): SetOperation {
  return { kind: "remove", element, adds: mapGet(set, element) ?? NO_TAGS };
}

/** Without tombstones: a remove is never applied before the adds that it takes. Needs causal delivery. */
export const setEffect: Effect<OpSet, SetOperation> = (set, operation, tag) => {
  const adds = mapGet(set, operation.element) ?? NO_TAGS;
  const after = operation.kind === "add" ? unionTags(adds, [tag]) : withoutTags(adds, operation.adds);
  if (after === adds) return set;
  return after.length === 0 ? mapWithout(set, operation.element) : mapWith(set, operation.element, after);
};
