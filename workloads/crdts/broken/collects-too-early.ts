import { collectedSetType } from "../replicas/collected-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { collectTombstones } from "../types/collected-set.ts";
import { mutant } from "./shared/mutant.ts";
import { mergeTrustingTombstones } from "./shared/trusting-set.ts";

const head = mutant(
  "collects-too-early",
  "A tombstone that this replica has written and sent has done its work",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () =>
  pureAdapter({
    ...collectedSetType,
    ...head,
    receive: (ours, theirs, { id }) => mergeTrustingTombstones(id, ours, theirs),
    collect: (set) => collectTombstones(set, set.version),
  });
