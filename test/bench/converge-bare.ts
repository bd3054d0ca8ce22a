import type { CrdtAdapter, Replica, ReplicaContext } from "../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../harness/contracts/crdt-fields.ts";
import { same } from "../../harness/converge/equality/same.ts";
import { HEADER, KIND, STRIDE } from "../../harness/converge/plan/event.ts";
import { makePool, POOLS } from "../../harness/converge/plan/pool.ts";

/**
 * What somebody would write by hand in an afternoon: the same schedules, the same replicas, a final exchange, and equality
 * at the end. No ground truth, no clocks judged, no laws. The runner is measured against it.
 */
export class BareLoop {
  private readonly adapter: CrdtAdapter;
  private readonly regions: number;
  private readonly pools = new Map<number, ReturnType<typeof makePool>>();
  private readonly wallMs: number[];

  constructor(adapter: CrdtAdapter, regions: number) {
    this.adapter = adapter;
    this.regions = regions;
    this.wallMs = new Array(regions).fill(0);
  }

  /** Whether all replicas are equal at the end. */
  run(schedule: Int32Array): boolean {
    const { adapter, regions, wallMs } = this;
    const pool = this.pool(schedule[0]!);
    const encoding = adapter.encodings[0]!.name;
    const contexts = Array.from({ length: regions }, (_, index) => this.context(index));
    const replicas: Replica[] = contexts.map((context) => adapter.create(context));
    const flying: { to: number; message: unknown }[] = [];
    const past: { to: number; message: unknown }[] = [];
    let number = 0;
    wallMs.fill(100_000_000);
    for (let at = HEADER; at < schedule.length; at += STRIDE) {
      const a = schedule[at + 1]!;
      const b = schedule[at + 2]!;
      const c = schedule[at + 3]!;
      const region = a % regions;
      switch (schedule[at]) {
        case KIND.operation: {
          const { kind, cell } = pool.templates[b % pool.templates.length]!;
          const { field, key } = cell!.group;
          const operation: Operation = {
            kind,
            field: field.name,
            key,
            value: number,
            element: cell!.element,
            amount: (c % 3) + 1,
            index: 0,
            to: "",
            number: number++,
          };
          replicas[region]!.apply(operation);
          break;
        }
        case KIND.clock:
          wallMs[region]! += (b % 5) - 2;
          break;
        case KIND.send: {
          const to = (region + 1 + (b % (regions - 1))) % regions;
          const message = replicas[region]!.export(encoding, {
            peer: contexts[to]!.id,
            since: undefined,
            from: 0,
            to: 0,
          });
          flying.push({ to, message });
          break;
        }
        case KIND.deliver: {
          if (flying.length === 0) break;
          const [arrived] = flying.splice(a % flying.length, 1);
          replicas[arrived!.to]!.receive(arrived!.message);
          past.push(arrived!);
          break;
        }
        case KIND.again: {
          if (past.length === 0) break;
          const { to, message } = past[a % past.length]!;
          replicas[to]!.receive(message);
          break;
        }
        case KIND.restart:
          replicas[region] = adapter.load(replicas[region]!.save(), contexts[region]!, undefined);
          break;
      }
    }
    const frozen = replicas.map((replica) => replica.export(encoding, { peer: "", since: undefined, from: 0, to: 0 }));
    for (let to = 0; to < regions; to++) {
      for (let from = 0; from < regions; from++) if (from !== to) replicas[to]!.receive(frozen[from]);
    }
    const first = replicas[0]!.value();
    return replicas.every((replica) => same(replica.value(), first));
  }

  private pool(number: number) {
    const known = this.pools.get(number % POOLS);
    if (known !== undefined) return known;
    const made = makePool(this.adapter, number % POOLS);
    this.pools.set(number % POOLS, made);
    return made;
  }

  private context(index: number): ReplicaContext {
    const { wallMs } = this;
    return {
      id: ["fra", "cai", "iad", "gru"][index]!,
      index,
      number: index + 1,
      regions: ["fra", "cai", "iad", "gru"],
      clock: { now: () => wallMs[index]! },
      locale: "en",
      genesis: this.adapter.genesis?.(),
      random: Math.random,
      reaches: () => true,
      world: new Map(),
      learned: () => {},
    };
  }
}
