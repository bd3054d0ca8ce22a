import { expect, test } from "vitest";
import {
  type CrdtAdapter,
  defineCrdt,
  type Replica,
  type ReplicaContext,
} from "../../../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../../../harness/contracts/crdt-fields.ts";

class GrowOnly implements Replica<number, string, number> {
  private total = 0;
  apply(operation: Operation): undefined {
    this.total += operation.amount;
  }
  export(): number {
    return this.total;
  }
  receive(message: number): undefined {
    this.total = Math.max(this.total, message);
  }
  value() {
    return { total: this.total };
  }
  save(): string {
    return String(this.total);
  }
}

test("an adapter with types of its own is a CrdtAdapter, without casts", () => {
  const adapter: CrdtAdapter<number, string, number> = {
    name: "grow-only",
    style: "immutable",
    fields: [{ name: "total", type: "counter", decrements: false }],
    encodings: [{ name: "state", kind: "full" }],
    create: (_context: ReplicaContext<string>) => new GrowOnly(),
    load: () => new GrowOnly(),
  };
  const module = defineCrdt({ createAdapter: () => adapter });
  expect(module.createAdapter({})).toBe(adapter);
});
