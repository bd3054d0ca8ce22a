import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { addToSet } from "../types/or-set.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant("tag-without-region", "A number that counts up makes every add unique", "ADD-LOST");

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    apply(state, operation, context) {
      if (operation.kind !== "add") return orSetType.apply(state, operation, context);
      const sequence = state.sequence + 1;
      return { set: addToSet(state.set, operation.element, { region: "", sequence }), sequence };
    },
  });
