import { collectedSetType } from "../replicas/collected-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { collectTombstones } from "../types/collected-set.ts";
import { emptyVersion, type VersionVector } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";
import { mergeTrustingTombstones } from "./shared/trusting-set.ts";

/** One number for all that a region has seen. */
const scalar = ({ values }: VersionVector) => Math.max(0, ...values);

const head = mutant(
  "collects-by-scalar-clock",
  "The lowest of all regions' clocks is a horizon that everyone has passed",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () =>
  pureAdapter({
    ...collectedSetType,
    ...head,
    receive: (ours, theirs, { id }) => mergeTrustingTombstones(id, ours, theirs),
    collect(set, { versions }) {
      const horizon = Math.min(...versions.map((version) => scalar(version ?? emptyVersion())));
      return collectTombstones(set, { keys: set.version.keys, values: set.version.values.map(() => horizon) });
    },
  });
