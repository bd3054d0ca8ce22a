import { fileURLToPath } from "node:url";
import type { CrdtAdapter, Replica, ReplicaContext } from "../../../../harness/contracts/crdt-adapter.ts";
import type { Operation, OperationKind } from "../../../../harness/contracts/crdt-fields.ts";
import { crdtRegistry } from "../../../../workloads/crdts/registry.ts";

export const REGIONS = ["fra", "cai", "iad"] as const;

/** Loads an adapter as the engine does, by the module that the registry names. */
export async function loadAdapter(name: string, options: Record<string, unknown> = {}): Promise<CrdtAdapter> {
  const entry = crdtRegistry.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`There is no ${name} in the registry.`);
  const path = fileURLToPath(new URL(`../../../../workloads/${entry.module}.ts`, import.meta.url));
  const module = await import(/* @vite-ignore */ path);
  return module.createAdapter(options);
}

export interface Site {
  replica: Replica;
  context: ReplicaContext;
  wall: { ms: number };
}

/** A replica per region, each with a wall clock of its own, that reach each other unless `links` says otherwise. */
export function sites(adapter: CrdtAdapter, links: (from: number, to: number) => boolean = () => true): Site[] {
  const world = new Map<string, unknown>();
  const genesis = adapter.genesis?.();
  return REGIONS.map((id, index) => {
    const wall = { ms: 1_000_000 };
    const context: ReplicaContext = {
      id,
      index,
      number: index + 1,
      regions: REGIONS,
      clock: { now: () => wall.ms },
      locale: ["de", "ar", "en"][index] as string,
      genesis,
      random: () => (index + 1) / 10,
      reaches: (region) => links(index, region),
      world,
      learned: () => {},
    };
    return { replica: adapter.create(context), context, wall };
  });
}

let number = 0;

export function operation(kind: OperationKind, rest: Partial<Operation> = {}): Operation {
  number += 1;
  return { kind, field: "", key: "", value: undefined, element: "", amount: 1, index: 0, to: "", number, ...rest };
}

/** One operation of every kind that the adapter's first cells take. */
export function someOperations(adapter: CrdtAdapter): Operation[] {
  return adapter.fields.flatMap((field): Operation[] => {
    const base = { field: field.name, key: field.keys?.[0] ?? "" };
    switch (field.type) {
      case "register":
      case "map":
        return [operation("set", { ...base, value: 7 }), operation("set", { ...base, value: "text" })];
      case "set":
        return [operation("add", { ...base, element: "x" }), operation("add", { ...base, element: "y" })];
      case "counter":
        return [operation("increment", { ...base, amount: 3 })];
      case "bounded-counter":
        return [operation("decrement", { ...base, amount: 1 }), operation("transfer", { ...base, to: "cai" })];
      case "list":
        return [operation("insert", { ...base, value: 1 }), operation("insert", { ...base, value: 2, index: 1 })];
      case "unique":
        return [operation("claim", { ...base, value: "ada" })];
    }
    return [];
  });
}

/** Everyone tells everyone everything. */
export function exchange(adapter: CrdtAdapter, all: readonly Site[]): void {
  const encoding = adapter.encodings.find(({ kind }) => kind === "full");
  if (encoding === undefined) throw new Error(`${adapter.name} has no encoding of kind full.`);
  const messages = all.map(({ replica }) => exportFull(replica, encoding.name));
  for (const [to, { replica }] of all.entries()) {
    for (const [from, message] of messages.entries()) {
      if (from !== to && message !== undefined) replica.receive(message);
    }
  }
}

export function exportFull(replica: Replica, encoding: string): unknown {
  return replica.export(encoding, { peer: "", since: undefined, from: 0, to: 0 });
}
