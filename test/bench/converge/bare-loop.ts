import type { CrdtAdapter, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { same } from "../../../harness/converge/equality/same.ts";
import { CLOCK_STEPS_MS, EPOCH_MS, HEAD, HEADER, KIND, STRIDE } from "../../../harness/converge/plan/event.ts";
import { makePool, POOLS } from "../../../harness/converge/plan/pool.ts";

interface Message {
  from: number;
  to: number;
  content: unknown;
  version: unknown;
}

const IDS = ["fra", "cai", "iad", "gru"];

/**
 * What somebody would write by hand: the same schedules, the same replicas, the library's encodings in turn, a final
 * exchange in two rounds, and equality at the end. No ground truth, no clocks judged, no promises of the network kept, no
 * laws, no coverage, nothing that tells what went wrong. The runner is measured against it.
 */
export class BareLoop {
  private readonly adapter: CrdtAdapter;
  private readonly regions: number;
  private readonly stateEncodings: readonly string[];
  private readonly usesVersions: boolean;
  private readonly pools = new Map<number, ReturnType<typeof makePool>>();
  private readonly wallMs: number[];
  private contexts: ReplicaContext[] = [];
  private replicas: Replica[] = [];
  private versions: unknown[] = [];
  private own: number[] = [];
  private sent: number[] = [];
  private flying: Message[] = [];
  private past: Message[] = [];

  constructor(adapter: CrdtAdapter, regions: number) {
    this.adapter = adapter;
    this.regions = regions;
    this.wallMs = new Array(regions).fill(0);
    this.stateEncodings = adapter.encodings.filter(({ kind }) => kind !== "operations").map(({ name }) => name);
    this.usesVersions = adapter.encodings.some(({ kind }) => kind === "delta");
  }

  /** Whether all replicas are equal at the end. */
  run(schedule: Int32Array): boolean {
    const { adapter, regions, wallMs } = this;
    const { templates } = this.pool(schedule[HEAD.pool]!);
    wallMs.fill(EPOCH_MS);
    this.contexts = wallMs.map((_, index) => this.context(index, index + 1));
    this.replicas = this.contexts.map((context) => adapter.create(context));
    this.versions = [];
    this.own = wallMs.map(() => 0);
    this.sent = wallMs.map(() => 0);
    this.flying = [];
    this.past = [];
    let number = 0;
    for (let at = HEADER; at < schedule.length; at += STRIDE) {
      const a = schedule[at + 1]!;
      const b = schedule[at + 2]!;
      const c = schedule[at + 3]!;
      const region = a % regions;
      switch (schedule[at]) {
        case KIND.operation:
          this.operate(region, templates[b % templates.length]!, c, number++);
          break;
        case KIND.clock:
          wallMs[region]! += CLOCK_STEPS_MS[b % CLOCK_STEPS_MS.length]!;
          break;
        case KIND.send:
          this.send(region, (region + 1 + (b % (regions - 1))) % regions, c);
          break;
        case KIND.deliver:
          if (this.flying.length > 0) this.past.push(this.deliver(this.flying.splice(a % this.flying.length, 1)[0]!));
          break;
        case KIND.again:
          if (this.past.length > 0) this.deliver(this.past[a % this.past.length]!);
          break;
        case KIND.forward:
          if (this.past.length > 0) this.flying.push({ ...this.past[a % this.past.length]!, to: b % regions });
          break;
        case KIND.restart:
          this.replicas[region] = adapter.load(this.replicas[region]!.save(), this.contexts[region]!, undefined);
          break;
        case KIND.amnesia:
          this.contexts[region] = this.context(region, 10 + at);
          this.replicas[region] = adapter.create(this.contexts[region]);
          this.own[region] = 0;
          this.sent[region] = 0;
          break;
      }
    }
    wallMs.fill(Math.max(...wallMs));
    this.exchange(schedule[HEAD.finish]! % this.stateEncodings.length);
    const first = this.replicas[0]!.value();
    if (!this.replicas.every((replica) => same(replica.value(), first))) return false;
    this.exchange(0);
    return this.replicas.every((replica) => same(replica.value(), first));
  }

  private operate(
    region: number,
    { kind, cell }: ReturnType<typeof makePool>["templates"][number],
    choice: number,
    number: number,
  ): void {
    const replica = this.replicas[region]!;
    const { field, key } = cell!.group;
    const length = field.type === "list" ? shownLength(replica, field.name) : 0;
    if (kind === "erase" && length === 0) return;
    const value = field.type === "list" && field.fresh !== undefined ? field.fresh(number) : number;
    const index = kind === "erase" ? choice % length : choice % (length + 1);
    const amount = (choice % 3) + 1;
    const operation: Operation = {
      kind,
      field: field.name,
      key,
      value,
      element: cell!.element,
      amount,
      index,
      to: "",
      number,
    };
    if (replica.apply(operation) === undefined) this.own[region]!++;
  }

  private send(from: number, to: number, choice: number): void {
    const { adapter, regions, flying } = this;
    const replica = this.replicas[from]!;
    const { name, kind } = adapter.encodings[choice % adapter.encodings.length]!;
    if (kind !== "operations") {
      flying.push(this.message(name, from, to));
      return;
    }
    const content = replica.export(name, {
      peer: "",
      since: undefined,
      from: this.sent[from]!,
      to: this.own[from]!,
    });
    this.sent[from] = this.own[from]!;
    for (let peer = 0; peer < regions; peer++) {
      if (peer !== from) flying.push({ from, to: peer, content, version: undefined });
    }
  }

  private message(encoding: string, from: number, to: number): Message {
    const replica = this.replicas[from]!;
    const since = this.versions[from * this.regions + to];
    const content = replica.export(encoding, { peer: this.contexts[to]!.id, since, from: 0, to: 0 });
    return { from, to, content, version: this.usesVersions ? replica.version?.() : undefined };
  }

  private deliver(message: Message): Message {
    const { from, to, content, version } = message;
    if (content !== undefined) this.replicas[to]!.receive(content);
    if (version !== undefined) this.versions[to * this.regions + from] = version;
    return message;
  }

  /** Everybody's message for everybody first, then all of them are taken. */
  private exchange(encoding: number): void {
    const { adapter, regions } = this;
    const name = this.stateEncodings[encoding]!;
    const forAll = adapter.encodings.find((each) => each.name === name)!.kind === "full";
    const messages: Message[] = [];
    for (let from = 0; from < regions; from++) {
      let last: Message | undefined;
      for (let to = 0; to < regions; to++) {
        if (to === from) continue;
        last = last !== undefined && forAll ? { ...last, to } : this.message(name, from, to);
        messages.push(last);
      }
    }
    for (const message of messages) this.deliver(message);
  }

  private pool(number: number) {
    const known = this.pools.get(number % POOLS);
    if (known !== undefined) return known;
    const made = makePool(this.adapter, number % POOLS);
    this.pools.set(number % POOLS, made);
    return made;
  }

  private context(index: number, number: number): ReplicaContext {
    const { wallMs } = this;
    return {
      id: number <= this.regions ? IDS[index]! : `${IDS[index]}${number}`,
      index,
      number,
      regions: IDS,
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

function shownLength(replica: Replica, field: string): number {
  return ((replica.value() as Record<string, { length: number } | undefined>)[field] ?? "").length;
}
