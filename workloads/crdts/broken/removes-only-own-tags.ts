import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mapGet, mapWith } from "../types/sorted-map.ts";
import { unionTags, withoutTags } from "../types/tag.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "removes-only-own-tags",
  "A region may take back what it added itself, and what others added is theirs",
  "RESURRECTED",
);

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    apply(state, operation, context) {
      if (operation.kind !== "remove") return orSetType.apply(state, operation, context);
      const { live, removed } = mapGet(state.set, operation.element) ?? { live: [], removed: [] };
      const own = live.filter(({ region }) => region === context.id);
      const membership = { live: withoutTags(live, own), removed: unionTags(removed, own) };
      return { set: mapWith(state.set, operation.element, membership), sequence: state.sequence };
    },
  });
