import type { CrdtAdapter, Replica } from "../../harness/contracts/crdt-adapter.ts";
import { createAdapter as consensus } from "../crdts/policies/consensus.ts";
import { createAdapter as crdtDocument } from "../crdts/policies/crdt-document.ts";
import { createAdapter as fieldLww } from "../crdts/policies/field-lww.ts";
import { createAdapter as homeRegion } from "../crdts/policies/home-region.ts";
import { createAdapter as rowHandler } from "../crdts/policies/row-handler.ts";
import { createAdapter as rowLww } from "../crdts/policies/row-lww.ts";
import { crdtRegistry } from "../crdts/registry.ts";
import { rowOperation } from "./operation.ts";
import type { LabRegion } from "./scene.ts";

/** What one region shows of the mug at the end. */
export interface MugRow {
  readonly price: number;
  readonly stock: number;
  readonly tags: readonly string[];
}

export interface PolicyOutcome {
  readonly policy: string;
  readonly rows: Readonly<Record<LabRegion, MugRow>>;
  /** Writes that were accepted and are not there any more. */
  readonly lost: readonly string[];
  /** Writes that were refused while the link was down, each with the reason. */
  readonly refused: readonly string[];
  /** What a write costs, as the registry says it. */
  readonly cost: string;
}

/** The story of scene 1 under every policy. */
export interface PlayedPolicies {
  readonly id: string;
  readonly title: string;
  readonly setting: readonly string[];
  readonly outcomes: readonly PolicyOutcome[];
  readonly moral: string;
}

const KEY = "mug";
const REGIONS = ["fra", "cai", "iad"] as const;
/** The four writes while the link is down. The two sales differ in size, so that one can tell which of them is missing. */
const WRITES = [
  { region: "fra", name: "Frankfurt's price", operation: rowOperation("set", KEY, { value: 120 }) },
  { region: "fra", name: "Frankfurt's sale", operation: rowOperation("increment", KEY, { amount: -1 }) },
  { region: "cai", name: "Cairo's two sales", operation: rowOperation("increment", KEY, { amount: -2 }) },
  { region: "cai", name: "Cairo's tag", operation: rowOperation("add", KEY, { element: "sale" }) },
] as const;

/** Messages are opaque to this scene. */
const ADAPTERS = [rowLww(), rowHandler({}), fieldLww(), homeRegion(), crdtDocument(), consensus()] as CrdtAdapter[];

export function playPolicies(): PlayedPolicies {
  return {
    id: "6",
    title: "One story, six policies",
    setting: [
      "The story of scene 1 once more, under what databases do. Here both clocks are right, and a third region, Virginia, " +
        "stays connected to Frankfurt: it sells nothing, and gives Frankfurt a majority. The mug's home is Frankfurt.",
    ],
    outcomes: ADAPTERS.map(playPolicy),
    moral:
      "Accept everywhere and lose something, refuse somewhere, ask somebody each time, or use types that merge: there is " +
      "no fifth way. One database may well use three of them, for different tables.",
  };
}

function playPolicy(adapter: CrdtAdapter): PolicyOutcome {
  let cut = false;
  const world = new Map<string, unknown>();
  const replicas = REGIONS.map((id, index) =>
    adapter.create({
      id,
      index,
      number: index + 1,
      regions: REGIONS,
      clock: { now: () => 220_000 + (cut ? index : 0) },
      locale: "en",
      genesis: undefined,
      random: () => 0,
      reaches: (region) => !cut || (index !== 1 && region !== 1),
      world,
      learned: () => {},
    }),
  ) as [Replica, Replica, Replica];
  for (const operation of [
    rowOperation("set", KEY, { value: 100 }),
    rowOperation("increment", KEY, { amount: 10 }),
    rowOperation("add", KEY, { element: "new" }),
  ]) {
    replicas[0].apply(operation);
  }
  exchange(replicas);
  cut = true;
  const answers = WRITES.map(({ region, operation }) => replicas[region === "fra" ? 0 : 1].apply(operation));
  cut = false;
  exchange(replicas);
  const rows = { fra: mugRow(replicas[0]), cai: mugRow(replicas[1]) };
  return {
    policy: adapter.name,
    rows,
    lost: lostWrites(
      rows.fra,
      answers.map((answer) => answer === undefined),
    ),
    refused: WRITES.flatMap(({ name }, at) => (answers[at] === undefined ? [] : [`${name} (${answers[at]})`])),
    cost: crdtRegistry.find(({ name }) => name === adapter.name)?.cost ?? "none",
  };
}

function lostWrites({ price, stock, tags }: MugRow, accepted: readonly boolean[]): string[] {
  const [priced, soldOne, soldTwo, tagged] = accepted;
  const unsold = stock - 10 + (soldOne ? 1 : 0) + (soldTwo ? 2 : 0);
  const isLost = [
    priced === true && price !== 120,
    unsold === 1 || unsold === 3,
    unsold === 2 || unsold === 3,
    tagged === true && !tags.includes("sale"),
  ];
  return WRITES.filter((_, at) => isLost[at]).map(({ name }) => name);
}

function exchange(replicas: readonly Replica[]): void {
  const request = { peer: "", since: undefined, from: 0, to: 0 };
  const messages = replicas.map((replica) => replica.export("state", request));
  for (const replica of replicas) for (const message of messages) replica.receive(message);
}

function mugRow(replica: Replica): MugRow {
  const { fields, counters, sets } = replica.value() as {
    fields: ReadonlyMap<string, number>;
    counters: ReadonlyMap<string, number>;
    sets: ReadonlyMap<string, readonly string[]>;
  };
  return { price: fields.get(KEY) ?? 0, stock: counters.get(KEY) ?? 0, tags: sets.get(KEY) ?? [] };
}
