import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import type { OrSet } from "../types/or-set.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "sort-by-locale",
  "Names are compared as people compare them, in the order of their language",
  "ADD-LOST",
  "RESURRECTED",
);

/** The key that the sorted list finds for an element: one that the language takes for the same. */
function found(set: OrSet, element: string, locale: string): string {
  return set.keys.find((key) => key.localeCompare(element, locale) === 0) ?? element;
}

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    apply: (state, operation, context) =>
      orSetType.apply(state, { ...operation, element: found(state.set, operation.element, context.locale) }, context),
  });
