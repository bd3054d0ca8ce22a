import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { addToSet } from "../types/or-set.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant("tag-by-time", "The region and the time make a tag unique", "ADD-LOST");

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    apply(state, operation, context) {
      if (operation.kind !== "add") return orSetType.apply(state, operation, context);
      const tag = { region: context.id, sequence: context.clock.now() };
      return { set: addToSet(state.set, operation.element, tag), sequence: state.sequence };
    },
  });
