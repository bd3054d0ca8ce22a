import { collectedSetType } from "../replicas/collected-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { dominates } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";
import { collectStable, mergeForgetting } from "./shared/trusting-set.ts";

const head = mutant(
  "ignores-only-old-states",
  "A state that brings nothing new is ignored, so a collected add cannot come back",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
  "NOT-ASSOCIATIVE",
);

/** It can, in an old snapshot that holds something new besides. */
export const createAdapter = () =>
  pureAdapter({
    ...collectedSetType,
    ...head,
    receive: (ours, theirs, { id, regions }) =>
      collectStable(dominates(ours.version, theirs.version) ? ours : mergeForgetting(id, ours, theirs), regions),
  });
