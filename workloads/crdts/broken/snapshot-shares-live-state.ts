import type { CrdtAdapter, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { mutant } from "./shared/mutant.ts";

interface Slots {
  p: Map<string, number>;
  n: Map<string, number>;
}

const copy = ({ p, n }: Slots): Slots => ({ p: new Map(p), n: new Map(n) });
const sum = (slots: Map<string, number>) => [...slots.values()].reduce((total, value) => total + value, 0);

/** A counter that changes its slots in place, and hands them out. */
class SnapshotSharesLiveState implements Replica<Slots, Slots> {
  private readonly context: ReplicaContext<Slots>;
  private readonly slots: Slots;

  constructor(context: ReplicaContext<Slots>, slots: Slots) {
    this.context = context;
    this.slots = slots;
  }

  apply({ amount }: Operation): string | undefined {
    const side = amount > 0 ? this.slots.p : this.slots.n;
    side.set(this.context.id, (side.get(this.context.id) ?? 0) + Math.abs(amount));
    return undefined;
  }

  export(): Slots {
    return this.slots;
  }

  receive(theirs: Slots): string | undefined {
    for (const side of ["p", "n"] as const) {
      for (const [region, value] of theirs[side]) {
        this.slots[side].set(region, Math.max(value, this.slots[side].get(region) ?? 0));
      }
    }
    return undefined;
  }

  value(): unknown {
    return { count: sum(this.slots.p) - sum(this.slots.n) };
  }

  save(): Slots {
    return copy(this.slots);
  }

  state(): unknown {
    return copy(this.slots);
  }
}

const head = mutant(
  "snapshot-shares-live-state",
  "A snapshot is the state, and copying it for every message would be a waste",
  "INPUT-MUTATED",
);

export function createAdapter(): CrdtAdapter<Slots, Slots> {
  return {
    ...head,
    style: "immutable",
    fields: [{ name: "count", type: "counter" }],
    encodings: [{ name: "state", kind: "full" }],
    create: (context) => new SnapshotSharesLiveState(context, { p: new Map(), n: new Map() }),
    load: (saved, context) => new SnapshotSharesLiveState(context, copy(saved)),
  };
}
