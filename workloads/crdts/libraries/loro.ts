import type { JsonSchema, LoroDoc, PeerID, VersionVector } from "loro-crdt";
import type { CrdtAdapter, ExportRequest, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { loadPackage } from "../../load-package.ts";
import { COUNTER_FIELD, LIST_FIELD, mapField, TEXT_FIELD } from "./fields.ts";

type Loro = typeof import("loro-crdt");

export type LoroMessage =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "shallow"; readonly bytes: Uint8Array; readonly start: LoroVersion }
  | { readonly kind: "json"; readonly json: string };

/** Peer -> how many of its operations are known, sorted by peer. */
export type LoroVersion = readonly (readonly [PeerID, number])[];

export interface LoroSaved {
  readonly snapshot: Uint8Array;
  /** Updates that wait for their causes: no snapshot holds them. */
  readonly pending: Uint8Array | undefined;
  /** For each own operation, the library's count of own operations after it. */
  readonly ends: readonly number[];
}

type Context = ReplicaContext<LoroSaved>;

/** Without NaN, which the JSON encodings turn into null. */
const VALUES: readonly unknown[] = [-0, undefined, null, "", [], {}];

class LoroReplica implements Replica<LoroMessage, LoroSaved, LoroVersion> {
  private readonly loro: Loro;
  private readonly document: LoroDoc;
  private readonly peer: PeerID;
  private readonly ends: number[];
  private readonly context: Context;
  private shown: unknown;
  private known: LoroVersion | undefined;

  constructor(loro: Loro, context: Context, saved: LoroSaved | undefined) {
    this.loro = loro;
    this.context = context;
    this.document = new loro.LoroDoc();
    this.peer = `${context.number}`;
    this.document.setPeerId(this.peer);
    this.ends = [...(saved?.ends ?? [])];
    if (saved === undefined) return;
    this.document.import(saved.snapshot);
    if (saved.pending !== undefined) this.document.import(saved.pending);
  }

  apply(operation: Operation): string | undefined {
    this.change(operation);
    this.document.commit({ timestamp: Math.floor(this.context.clock.now() / 1000) });
    this.forgetViews();
    const end = this.ownCount();
    // Writing what is there already and deleting what is not are no operations: nobody can be told of them.
    if (end === (this.ends.at(-1) ?? 0)) return "NO_CHANGE";
    this.ends.push(end);
    return undefined;
  }

  export(encoding: string, { since, from, to }: ExportRequest<LoroVersion>): LoroMessage | undefined {
    const { document } = this;
    switch (encoding) {
      case "snapshot":
        return { kind: "bytes", bytes: document.export({ mode: "snapshot" }) };
      case "update":
        return { kind: "bytes", bytes: document.export({ mode: "update" }) };
      case "json":
        return { kind: "json", json: JSON.stringify(document.exportJsonUpdates()) };
      case "update-since":
        return { kind: "bytes", bytes: document.export({ mode: "update", from: this.vector(since ?? []) }) };
      case "json-since":
        return { kind: "json", json: JSON.stringify(document.exportJsonUpdates(this.vector(since ?? []))) };
      case "shallow-since":
        return this.exportShallow(since ?? []);
    }
    const start = from === 0 ? 0 : (this.ends[from - 1] ?? 0);
    const end = this.ends[to - 1] ?? start;
    if (end === start) return { kind: "bytes", bytes: document.export({ mode: "updates-in-range", spans: [] }) };
    const span = { id: { peer: this.peer, counter: start }, len: end - start };
    return { kind: "bytes", bytes: document.export({ mode: "updates-in-range", spans: [span] }) };
  }

  receive(message: LoroMessage): string | undefined {
    if (message.kind === "shallow" && !this.covers(message.start)) return "MISSING_HISTORY";
    if (message.kind === "json") this.document.importJsonUpdates(JSON.parse(message.json) as JsonSchema);
    else this.document.import(message.bytes);
    this.forgetViews();
    return undefined;
  }

  value(): unknown {
    if (this.shown !== undefined) return this.shown;
    const { document } = this;
    this.shown = {
      map: new Map(document.getMap("map").entries()),
      list: document.getList("list").toArray(),
      movable: document.getMovableList("movable").toArray(),
      text: document.getText("text").toString(),
      count: document.getCounter("count").value,
    };
    return this.shown;
  }

  save(): LoroSaved {
    const { document } = this;
    return {
      snapshot: document.export({ mode: "snapshot" }),
      pending: document.exportPendingUpdates(),
      ends: [...this.ends],
    };
  }

  version(): LoroVersion {
    this.known ??= [...this.document.oplogVersion().toJSON()].sort(([a], [b]) => Number(a) - Number(b));
    return this.known;
  }

  private change({ kind, field, key, value, amount, index }: Operation): void {
    const { document } = this;
    if (kind === "set") document.getMap("map").set(key, value as never);
    else if (kind === "delete") document.getMap("map").delete(key);
    else if (kind === "increment") document.getCounter("count").increment(amount);
    else if (field === "text") {
      if (kind === "insert") document.getText("text").insert(index, String(value));
      else document.getText("text").delete(index, 1);
    } else {
      const list = field === "list" ? document.getList("list") : document.getMovableList("movable");
      if (kind === "insert") list.insert(index, value as never);
      else list.delete(index, 1);
    }
  }

  /**
   * The history from what the peer has on, and the values at its start. Taken by somebody who has less, it may or may not
   * bring what was before, as the library chooses: it is for those who have its start.
   */
  private exportShallow(since: LoroVersion): LoroMessage {
    const own = new Map(this.version());
    const start = since
      .map(([peer, count]) => [peer, Math.min(count, own.get(peer) ?? 0)] as const)
      .filter(([, count]) => count > 0);
    if (start.length === 0) return { kind: "bytes", bytes: this.document.export({ mode: "snapshot" }) };
    const frontiers = this.document.vvToFrontiers(this.vector(start));
    return { kind: "shallow", bytes: this.document.export({ mode: "shallow-snapshot", frontiers }), start };
  }

  private covers(version: LoroVersion): boolean {
    const own = new Map(this.version());
    return version.every(([peer, count]) => (own.get(peer) ?? 0) >= count);
  }

  private vector(version: LoroVersion): VersionVector {
    return new this.loro.VersionVector(new Map(version));
  }

  private ownCount(): number {
    return this.version().find(([peer]) => peer === this.peer)?.[1] ?? 0;
  }

  private forgetViews(): void {
    this.shown = undefined;
    this.known = undefined;
  }
}

export function createAdapter(): CrdtAdapter<LoroMessage, LoroSaved, LoroVersion> {
  const loro = loadPackage<Loro>({ name: "loro-crdt", version: "1.17.1" });
  return {
    name: "loro",
    summary: "loro 1: a map, lists, a text, a counter, by snapshots, whole and shallow, by updates, and as JSON",
    style: "mutable",
    fields: [
      { ...mapField(), values: VALUES },
      LIST_FIELD,
      { ...LIST_FIELD, name: "movable" },
      TEXT_FIELD,
      COUNTER_FIELD,
    ],
    encodings: [
      { name: "snapshot", kind: "full" },
      { name: "update", kind: "full" },
      { name: "json", kind: "full" },
      { name: "update-since", kind: "delta" },
      { name: "json-since", kind: "delta" },
      { name: "shallow-since", kind: "delta" },
      { name: "own-updates", kind: "operations" },
    ],
    underGaps: "buffered",
    canon: (value) => (value === undefined ? null : Object.is(value, -0) ? 0 : value),
    create: (context) => new LoroReplica(loro, context, undefined),
    load: (saved, context) => new LoroReplica(loro, context, saved),
  };
}
