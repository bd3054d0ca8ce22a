import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

interface TwoPhaseSet {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].sort();

const head = mutant(
  "two-phase-set",
  "A set of what was added and a set of what was removed, and the removed ones are not shown",
  "ADD-LOST",
);

const twoPhaseSet: PureType<TwoPhaseSet> = {
  ...head,
  fields: [{ name: "elements", type: "set", conflict: "add-wins" }],
  initial: () => ({ added: [], removed: [] }),
  apply: ({ added, removed }, { kind, element }) =>
    kind === "add"
      ? { added: union(added, [element]), removed }
      : { added, removed: union(removed, added.includes(element) ? [element] : []) },
  message: (set) => set,
  receive: (ours, theirs) => ({ added: union(ours.added, theirs.added), removed: union(ours.removed, theirs.removed) }),
  show: ({ added, removed }) => ({ elements: added.filter((element) => !removed.includes(element)) }),
};

export const createAdapter = () => pureAdapter(twoPhaseSet);
