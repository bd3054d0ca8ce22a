import { type CrdtEntry, crdtRegistry } from "../../../workloads/crdts/registry.ts";
import { type MicroBenchmark, timeBatch } from "../../bench/micro-benchmark.ts";
import type { CrdtAdapter, Replica, ReplicaContext } from "../../contracts/crdt-adapter.ts";
import { DEFAULT_ELEMENTS, type Field, type Operation, type OperationKind } from "../../contracts/crdt-fields.ts";
import { loadAdapter } from "../../converge/adapter/load-adapter.ts";
import { builtFile } from "../../package-root.ts";

/** Operations on one replica before it is put aside: states stay as small as in a schedule. */
const OPERATIONS = 64;

/** Applying an operation and receiving a state, for every data type that is no mistake on purpose. */
export const crdtBenchmarks: readonly MicroBenchmark[] = crdtRegistry
  .filter(({ family }) => family === "reference" || family === "library")
  .flatMap((entry) => [apply(entry), receive(entry)]);

function common({ name, family, needsPackage }: CrdtEntry, what: string) {
  const onlyByName = family === "library" || needsPackage !== undefined;
  return {
    name: `crdt/${name}/${what}`,
    group: "crdt",
    unit: "µs",
    ...(onlyByName ? { onlyByName } : {}),
  } as const;
}

function apply(entry: CrdtEntry): MicroBenchmark {
  return {
    ...common(entry, "apply"),
    summary: `Applies one of ${OPERATIONS} local operations, and shows the value`,
    async prepare() {
      const adapter = await load(entry);
      const operations = operationsFor(adapter.fields, 0);
      return {
        run() {
          const replica = adapter.create(context(adapter, 0));
          return timeBatch(operations.length, (index) => {
            replica.apply(operations[index] as Operation);
            replica.value();
          });
        },
      };
    },
  };
}

function receive(entry: CrdtEntry): MicroBenchmark {
  return {
    ...common(entry, "receive"),
    summary: `Receives the state of a peer with ${OPERATIONS} operations of its own, and shows the value`,
    async prepare() {
      const adapter = await load(entry);
      const [ours, theirs] = [filled(adapter, 0), filled(adapter, 1)];
      const saved = ours.save();
      const messages = messagesOf(adapter, theirs);
      return {
        run() {
          const replicas = Array.from({ length: 16 }, () => adapter.load(saved, context(adapter, 0), undefined));
          return timeBatch(replicas.length, (index) => {
            const replica = replicas[index] as Replica;
            for (const message of messages) replica.receive(message);
            replica.value();
          });
        },
      };
    },
  };
}

const load = ({ name, module }: CrdtEntry): Promise<CrdtAdapter> =>
  loadAdapter({ name, path: builtFile(`workloads/${module}.js`) });

function filled(adapter: CrdtAdapter, index: number): Replica {
  const replica = adapter.create(context(adapter, index));
  for (const operation of operationsFor(adapter.fields, index)) replica.apply(operation);
  return replica;
}

/** All that a replica knows, in the first encoding that carries it: one message, or one for each operation. */
function messagesOf(adapter: CrdtAdapter, replica: Replica): unknown[] {
  const full = adapter.encodings.find(({ kind }) => kind === "full") ?? adapter.encodings[0];
  if (!full) throw new Error(`${adapter.name} has no encoding`);
  const request = { peer: "fra", since: undefined };
  const ranges = full.kind === "operations" ? Array.from({ length: OPERATIONS }, (_, from) => from) : [0];
  return ranges
    .map((from) =>
      replica.export(full.name, { ...request, from, to: full.kind === "operations" ? from + 1 : OPERATIONS }),
    )
    .filter((message) => message !== undefined);
}

/** Ids of more than one character, as regions have. */
const regions = ["fra", "cai"] as const;

function context(adapter: CrdtAdapter, index: number): ReplicaContext {
  let wallMs = 1_700_000_000_000 + index;
  let drawn = index + 1;
  return {
    id: regions[index] ?? "fra",
    ...{ index, regions, number: index + 1, locale: "en", world: new Map() },
    clock: { now: () => ++wallMs },
    genesis: adapter.genesis?.(),
    random() {
      drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
      return drawn / 2 ** 32;
    },
    reaches: () => true,
    learned: () => {},
  };
}

/** As many operations as there are, over every field and a few keys. */
function operationsFor(fields: readonly Field[], region: number): Operation[] {
  return Array.from({ length: OPERATIONS }, (_, number) => {
    const field = fields[number % fields.length] as Field;
    const keys = field.keys ?? [""];
    return operation(field, keys[(number >> 2) % Math.min(4, keys.length)] ?? "", number, region);
  });
}

const kinds: Readonly<Record<Field["type"], OperationKind>> = {
  register: "set",
  map: "set",
  set: "add",
  counter: "increment",
  "bounded-counter": "increment",
  list: "insert",
  unique: "claim",
};

function operation(field: Field, key: string, number: number, region: number): Operation {
  const elements = field.type === "set" ? (field.elements ?? DEFAULT_ELEMENTS) : [""];
  const value = "fresh" in field && field.fresh ? field.fresh(2 * number + region) : 2 * number + region;
  return {
    kind: kinds[field.type],
    field: field.name,
    ...{ key, number, value },
    element: elements[number % elements.length] ?? "",
    amount: 1 + (number % 3),
    index: 0,
    to: "",
  };
}
