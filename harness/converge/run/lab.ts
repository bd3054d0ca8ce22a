import type { Replica, ReplicaContext } from "../../contracts/crdt-adapter.ts";
import type { Lab } from "../oracles/oracle.ts";
import { recoded } from "./post.ts";
import { atOnce } from "./synchronous.ts";
import type { World } from "./world.ts";

/** The bench on which laws are tried: copies of the replicas as they stand, in contexts of their own. */
export class WorldLab implements Lab {
  readonly ids: readonly string[];
  readonly encodings: readonly string[];
  readonly survivesDuplicates: boolean;
  private readonly world: World;
  private readonly contexts: (ReplicaContext | undefined)[] = [];
  private readonly spare: (Replica | undefined)[] = [];
  private readonly fedSpares: { region: number; message: unknown; replica: Replica }[] = [];
  // Nothing changes the replicas while laws are tried on them: what was asked of one once is good for all laws.
  private readonly saved: ({ of: unknown } | undefined)[] = [];
  private readonly wholes: ({ of: unknown } | undefined)[] = [];
  private readonly messages: { encoding: string; from: number; to: number; message: unknown }[] = [];

  private readonly everything: boolean;

  /** @param everything try laws on a group for every region */
  constructor(world: World, everything: boolean) {
    this.everything = everything;
    this.world = world;
    this.ids = world.regions.map(({ id }) => id);
    this.encodings = this.neighbours(world.adapter.encodings.map(({ name }) => name));
    this.survivesDuplicates = world.survivesDuplicates;
  }

  /** Two neighbours, chosen by the schedule; with every oracle always, all. */
  private neighbours(names: readonly string[]): readonly string[] {
    if (this.everything || names.length <= 2) return names;
    const first = (this.world.finishBits >>> 6) % names.length;
    return [names[first]!, names[(first + 1) % names.length]!];
  }

  regions(): readonly number[] {
    return this.some((first) => first);
  }

  pairs(): readonly (readonly [number, number])[] {
    const { length } = this.ids;
    const distance = 1 + (this.world.finishBits % (length - 1));
    return this.some((first) => [first, (first + distance) % length] as const);
  }

  triples(): readonly (readonly [number, number, number])[] {
    const { length } = this.ids;
    if (length < 3) return [];
    return this.some((first) => [first, (first + 1) % length, (first + 2) % length] as const);
  }

  /** One group, chosen by the schedule; with every oracle always, one for every region. */
  private some<Group>(group: (first: number) => Group): readonly Group[] {
    const { length } = this.ids;
    if (!this.everything) return [group((this.world.finishBits >>> 3) % length)];
    return Array.from({ length }, (_, first) => group(first));
  }

  isSettled(region: number): boolean {
    const { truth, buffered, partial } = this.world;
    if (partial) return truth.isCertain(region);
    return !buffered || truth.covers(region, truth.received, region * truth.words);
  }

  savesAll(region: number): boolean {
    return this.world.adapter.persistsPending !== false || this.isSettled(region);
  }

  copy(region: number): Replica {
    const { replica } = this.world.regions[region]!;
    const spare = this.spare[region];
    this.spare[region] = undefined;
    return spare ?? atOnce(replica.fork?.(this.context(region)), "fork", this.world.adapter) ?? this.reload(region);
  }

  fed(region: number, message: unknown): Replica | undefined {
    if (message === undefined) return undefined;
    const place = this.fedSpares.findIndex((spare) => spare.region === region && spare.message === message);
    if (place >= 0) return this.fedSpares.splice(place, 1)[0]!.replica;
    const replica = this.copy(region);
    return replica.receive(message) === undefined ? replica : undefined;
  }

  keep(region: number, replica: Replica, message?: unknown): void {
    // Where a fork is cheap, fresh ones serve.
    if (this.world.regions[region]!.replica.fork !== undefined) return;
    if (message === undefined) this.spare[region] = replica;
    else this.fedSpares.push({ region, message, replica });
  }

  reload(region: number): Replica {
    this.saved[region] ??= { of: this.world.regions[region]!.replica.save() };
    return this.world.adapter.load(this.saved[region].of, this.context(region), undefined);
  }

  private context(region: number): ReplicaContext {
    this.contexts[region] ??= this.world.regions[region]!.contextForCopies(this.world);
    return this.contexts[region];
  }

  original(region: number): Replica {
    return this.world.regions[region]!.replica;
  }

  full(replica: Replica): unknown {
    const region = this.world.regions.findIndex((each) => each.replica === replica);
    if (region < 0) return this.exportFull(replica);
    this.wholes[region] ??= { of: this.exportFull(replica) };
    return this.wholes[region].of;
  }

  private exportFull(replica: Replica): unknown {
    const { encodings } = this.world.adapter;
    const encoding = encodings.find(({ kind }) => kind === "full") ?? encodings.find(({ kind }) => kind === "delta");
    return encoding && replica.export(encoding.name, { peer: "", since: undefined, from: 0, to: 0 });
  }

  message(encoding: string, from: number, to: number): unknown {
    const known = this.messages.find((each) => each.encoding === encoding && each.from === from && each.to === to);
    if (known !== undefined) return known.message;
    const message = this.exportMessage(encoding, from, to);
    this.messages.push({ encoding, from, to, message });
    return message;
  }

  private exportMessage(encoding: string, from: number, to: number): unknown {
    const { adapter, regions } = this.world;
    const { kind } = adapter.encodings.find(({ name }) => name === encoding)!;
    const { replica } = regions[from]!;
    const peer = regions[to]!;
    const request = { peer: peer.id, since: peer.replica.version?.(), from: 0, to: 0 };
    if (kind !== "operations") return replica.export(encoding, request);
    const range = this.ownLackingAt(from, to);
    return range && replica.export(encoding, { ...request, peer: "", since: undefined, ...range });
  }

  /** The sender's own operations that the peer lacks, if they are all that it lacks and what it needs is there. */
  private ownLackingAt(from: number, to: number): { from: number; to: number } | undefined {
    const { truth, regions } = this.world;
    const { own, ownCount } = regions[from]!;
    const lacking: number[] = [];
    for (let operation = 0; operation < truth.count; operation++) {
      if (truth.knows(from, operation) && !truth.knows(to, operation)) lacking.push(operation);
    }
    const first = ownCount - lacking.length;
    if (lacking.length === 0 || first < 0) return undefined;
    for (let at = first; at < ownCount; at++) if (!lacking.includes(own[at]!)) return undefined;
    const needed = (operation: number) =>
      Array.from({ length: truth.count }, (_, cause) => cause).every(
        (cause) => !truth.saw(operation, cause) || truth.knows(to, cause) || lacking.includes(cause),
      );
    return lacking.every(needed) ? { from: first, to: ownCount } : undefined;
  }

  throughCodec(message: unknown): unknown {
    const { adapter } = this.world;
    return adapter.codec && recoded(adapter, message);
  }
}
