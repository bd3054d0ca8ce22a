import {
  addToCollectedSet,
  type CollectedSet,
  collectedSetValues,
  collectTombstones,
  countTombstones,
  emptyCollectedSet,
  mergeCollectedSets,
  removeFromCollectedSet,
  stableCut,
} from "../types/collected-set.ts";
import { commonVersion, emptyVersion, mergeVersions, type VersionVector } from "../types/version-vector.ts";
import { type PureType, pureAdapter } from "./pure-adapter.ts";

export const collectedSetType: PureType<CollectedSet, CollectedSet, VersionVector> = {
  name: "collected-set",
  summary: "an add-wins set whose tombstones go once every region is known to have seen them",
  fields: [{ name: "elements", type: "set", conflict: "add-wins" }],
  initial: emptyCollectedSet,
  apply: (set, { kind, element }, { id }) =>
    kind === "add" ? addToCollectedSet(set, id, element) : removeFromCollectedSet(set, id, element),
  message: (set) => set,
  receive: (ours, theirs, { id }) => mergeCollectedSets(id, ours, theirs),
  show: (set) => ({ elements: collectedSetValues(set) }),
  essence: ({ version, elements }) => ({
    version,
    live: elements.keys.flatMap((element, at) => {
      const live = elements.values[at]?.live ?? [];
      return live.length === 0 ? [] : [{ element, live }];
    }),
  }),
  version: ({ version }) => version,
  /** Both say what every region has seen: the type's own matrix, which also learns from third regions, and the runner. */
  collect(set, { regions, versions }) {
    const heard = commonVersion(versions.map((version) => version ?? emptyVersion()));
    return collectTombstones(set, mergeVersions(stableCut(set, regions), heard));
  },
  tombstones: countTombstones,
};

export const createAdapter = () => pureAdapter(collectedSetType);
