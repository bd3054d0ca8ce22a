import type { OracleName } from "../../harness/contracts/crdt-oracles.ts";
import type { RegistryEntry } from "../../harness/contracts/module-ref.ts";
import { zoo } from "./zoo.ts";

export interface CrdtEntry extends RegistryEntry {
  /** `reference`: the project's own types. `policy`: what databases do. `library`: npm packages. `broken`: the zoo. */
  family: "reference" | "policy" | "library" | "broken";
  /** What a campaign is expected to say. */
  expected: "correct" | "broken";
  /** The oracles that catch it; for those that are expected to be broken. */
  caughtBy?: readonly OracleName[];
  /** Whom a write waits for, for policies, as a phrase; `none`: nobody. */
  cost?: string;
}

/** Every CRDT that ships, in the order in which it is listed. */
export const crdtRegistry: readonly CrdtEntry[] = [
  ...references({
    document: "Fields that the last writer wins by hybrid logical clock, counters, and add-wins sets",
    "lww-register": "One value that the last writer wins, by hybrid logical clock",
    "pn-counter": "A counter that every region raises and lowers, by its own slots; it may go below zero",
    "or-set": "A set in which an add wins over a concurrent remove; its tombstones stay",
    "collected-set": "An add-wins set whose tombstones go once every region is known to have seen them",
    "bounded-counter": "Stock that is never oversold: each region uses up rights that it holds, and may transfer them",
    "delta-counter": "The counter by deltas: only the slots that changed are sent",
    "delta-set": "The add-wins set by deltas, without tombstones: what is known and not there was removed",
    "op-counter": "The counter by operations, each applied once and after its causes, with a reset of what was seen",
    "op-set": "The add-wins set by operations, without tombstones, each operation after its causes",
    "unique-home": "One e-mail address, one account, decided in the home region of the address; elsewhere refused",
  }),
  {
    name: "unique-local",
    summary: "One e-mail address, one account, decided in every region by itself: two regions say yes",
    module: "crdts/replicas/unique-local",
    family: "reference",
    expected: "broken",
    caughtBy: ["UNIQUENESS"],
  },
  {
    name: "row-lww",
    summary: "Whole rows, the greater wall-clock updatedAt wins: the default of BDR, pgactive, DynamoDB global tables",
    module: "crdts/policies/row-lww",
    family: "policy",
    expected: "broken",
    caughtBy: ["LOST-UPDATE", "ADD-LOST", "RESURRECTED", "CAUSALITY"],
    cost: "none",
  },
  {
    name: "row-handler",
    summary: "Whole rows with a user's conflict handler, as BDR allows; it sees two rows and not what was done to them",
    module: "crdts/policies/row-handler",
    family: "policy",
    expected: "broken",
    caughtBy: ["LOST-UPDATE", "ADD-LOST", "RESURRECTED", "CAUSALITY", "DIVERGED", "NOT-COMMUTATIVE"],
    cost: "none",
  },
  {
    name: "field-lww",
    summary: "Each field by itself, the last writer wins; counters and sets are fields, written whole",
    module: "crdts/policies/field-lww",
    family: "policy",
    expected: "broken",
    caughtBy: ["LOST-UPDATE", "ADD-LOST", "RESURRECTED"],
    cost: "none",
  },
  {
    name: "home-region",
    summary: "Each row is written in its home region only; elsewhere a write is refused and must be routed there",
    module: "crdts/policies/home-region",
    family: "policy",
    expected: "correct",
    cost: "the home, for each write from elsewhere: a round trip, or no write while it is out of reach",
  },
  {
    name: "crdt-document",
    summary: "Every part of the row as a CRDT of its own, as in Redis Enterprise active-active",
    module: "crdts/policies/crdt-document",
    family: "policy",
    expected: "correct",
    cost: "none",
  },
  {
    name: "consensus",
    summary: "Every write in one agreed order, as in Spanner and CockroachDB",
    module: "crdts/policies/consensus",
    family: "policy",
    expected: "correct",
    cost: "a majority, for every write: a round trip, or no write without one",
  },
  {
    name: "yjs",
    summary: "yjs 13: a Y.Map, a Y.Array and a Y.Text, by whole updates, by what a peer lacks, and by single updates",
    module: "crdts/libraries/yjs",
    needsPackage: "yjs@13.6.33",
    family: "library",
    expected: "correct",
  },
  {
    name: "automerge",
    summary: "automerge 3: maps, a list, a text, a counter, by saved documents, by changes, and by the sync protocol",
    module: "crdts/libraries/automerge",
    needsPackage: "@automerge/automerge@3.5.0",
    family: "library",
    expected: "correct",
  },
  {
    name: "loro",
    summary: "loro 1: a map, lists, a text, a counter, by snapshots, whole and shallow, by updates, and as JSON",
    module: "crdts/libraries/loro",
    needsPackage: "loro-crdt@1.17.1",
    family: "library",
    expected: "correct",
  },
  ...Object.entries(zoo).map(
    ([name, [wrongThought, ...caughtBy]]): CrdtEntry => ({
      name: `broken/${name}`,
      summary: wrongThought,
      module: `crdts/broken/${name}`,
      family: "broken",
      expected: "broken",
      caughtBy,
    }),
  ),
];

function references(summaries: Readonly<Record<string, string>>): CrdtEntry[] {
  return Object.entries(summaries).map(([name, summary]) => ({
    name,
    summary,
    module: `crdts/replicas/${name}`,
    family: "reference",
    expected: "correct",
  }));
}
