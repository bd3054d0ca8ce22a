import { collectedSetType } from "../replicas/collected-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";
import { collectStable, mergeForgetting } from "./shared/trusting-set.ts";

const head = mutant(
  "forgets-what-it-collected",
  "Every region has seen the tombstone, so nobody can send the add any more, old messages in flight apart",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () =>
  pureAdapter({
    ...collectedSetType,
    ...head,
    receive: (ours, theirs, { id, regions }) => collectStable(mergeForgetting(id, ours, theirs), regions),
  });
