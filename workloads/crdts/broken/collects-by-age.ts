import { collectedSetType } from "../replicas/collected-set.ts";
import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { type CollectedSet, collectTombstones } from "../types/collected-set.ts";
import { emptyMap, mapGet, mapWith, type SortedMap } from "../types/sorted-map.ts";
import type { VersionVector } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";
import { mergeTrustingTombstones } from "./shared/trusting-set.ts";

interface AgeingSet {
  readonly set: CollectedSet;
  /** Region -> the last of its operations that was seen here, and when that was, in ms. */
  readonly seenAtMs: SortedMap<{ readonly sequence: number; readonly ms: number }>;
}

const GRACE_MS = 60_000;

const head = mutant(
  "collects-by-age",
  "After the grace period every region has long seen the tombstone",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

/** It collects whenever a message came in. */
const collectsByAge: PureType<AgeingSet, CollectedSet, VersionVector> = {
  ...head,
  fields: collectedSetType.fields,
  initial: (context) => ({ set: collectedSetType.initial(context), seenAtMs: emptyMap() }),
  apply: ({ set, seenAtMs }, operation, context) =>
    aged(collectedSetType.apply(set, operation, context) as CollectedSet, seenAtMs, context.clock.now()),
  message: ({ set }) => set,
  receive: ({ set, seenAtMs }, theirs, { id, clock }) =>
    withoutOld(aged(mergeTrustingTombstones(id, set, theirs), seenAtMs, clock.now()), clock.now()),
  show: ({ set }, context) => collectedSetType.show(set, context),
  essence: ({ set }) => collectedSetType.essence?.(set),
  version: ({ set }) => set.version,
};

function withoutOld({ set, seenAtMs }: AgeingSet, nowMs: number): AgeingSet {
  const old = seenAtMs.values.map(({ sequence, ms }) => (nowMs - ms >= GRACE_MS ? sequence : 0));
  return { set: collectTombstones(set, { keys: seenAtMs.keys, values: old }), seenAtMs };
}

function aged(set: CollectedSet, before: AgeingSet["seenAtMs"], nowMs: number): AgeingSet {
  let seenAtMs = before;
  for (const [at, region] of set.version.keys.entries()) {
    const sequence = set.version.values[at] as number;
    if ((mapGet(seenAtMs, region)?.sequence ?? 0) < sequence)
      seenAtMs = mapWith(seenAtMs, region, { sequence, ms: nowMs });
  }
  return { set, seenAtMs };
}

export const createAdapter = () => pureAdapter(collectsByAge);
