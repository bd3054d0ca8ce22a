import { collectedSetType } from "../replicas/collected-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { collectTombstones, stableCut } from "../types/collected-set.ts";
import { mutant } from "./shared/mutant.ts";
import { mergeTrustingTombstones } from "./shared/trusting-set.ts";

const head = mutant(
  "collects-by-live-members",
  "A region that cannot be reached must not stop the collection, so only those that can be are asked",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

/** It collects whenever a message came in, by the versions of those that it reaches. */
export const createAdapter = () =>
  pureAdapter({
    ...collectedSetType,
    ...head,
    receive: (ours, theirs, context) => {
      const { id, index, regions } = context;
      const merged = mergeTrustingTombstones(id, ours, theirs);
      const asked = regions.filter((_, region) => region === index || context.reaches(region));
      return collectTombstones(merged, stableCut(merged, asked));
    },
  });
