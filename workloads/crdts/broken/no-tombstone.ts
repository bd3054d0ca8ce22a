import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mapWithout } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant("no-tombstone", "What is removed from the set is removed from the state", "RESURRECTED");

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    apply(state, operation, context) {
      if (operation.kind !== "remove") return orSetType.apply(state, operation, context);
      return { set: mapWithout(state.set, operation.element), sequence: state.sequence };
    },
  });
