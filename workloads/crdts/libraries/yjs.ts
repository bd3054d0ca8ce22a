import type { Transaction } from "yjs";
import type { CrdtAdapter, ExportRequest, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { importPackage } from "../../load-package.ts";
import { LIST_FIELD, mapField, TEXT_FIELD } from "./fields.ts";

type Yjs = typeof import("yjs");

/** One or several updates, in the first or the second format. */
export interface YjsMessage {
  readonly format: 1 | 2;
  readonly updates: readonly Uint8Array[];
}

export interface YjsSaved {
  readonly document: Uint8Array;
  /** The update of each own operation; undefined where an operation made none. */
  readonly own: readonly (Uint8Array | undefined)[];
}

/** A state vector says nothing of deletions, so that two documents with equal ones may differ: `seen` tells them apart. */
export interface YjsVersion {
  readonly vector: Uint8Array;
  readonly seen: string;
}

type Context = ReplicaContext<YjsSaved>;

class YjsReplica implements Replica<YjsMessage, YjsSaved, YjsVersion> {
  private readonly yjs: Yjs;
  private readonly document: InstanceType<Yjs["Doc"]>;
  private readonly map: InstanceType<Yjs["Map"]>;
  private readonly list: InstanceType<Yjs["Array"]>;
  private readonly text: InstanceType<Yjs["Text"]>;
  private readonly own: (Uint8Array | undefined)[];
  private lastUpdate: Uint8Array | undefined;
  private shown: unknown;
  private known: YjsVersion | undefined;

  constructor(yjs: Yjs, context: Context, saved: YjsSaved | undefined) {
    this.yjs = yjs;
    // Given, since Yjs would draw a random one, which takes longer than all the rest of making a document.
    this.document = new yjs.Doc({ guid: context.id });
    this.map = this.document.getMap("map");
    this.list = this.document.getArray("list");
    this.text = this.document.getText("text");
    if (saved !== undefined) yjs.applyUpdate(this.document, saved.document);
    // After loading: Yjs gives a document another id when it meets operations of its own id that it did not make.
    this.document.clientID = context.number;
    this.own = [...(saved?.own ?? [])];
    this.document.on("afterTransaction", (transaction) => {
      // What is received again shows what showed before.
      if (!changedSomething(transaction)) return;
      this.shown = undefined;
      this.known = undefined;
    });
  }

  private readonly keepUpdate = (update: Uint8Array): void => {
    this.lastUpdate = update;
  };

  apply(operation: Operation): string | undefined {
    this.lastUpdate = undefined;
    // Listened to here only: Yjs encodes an update of every transaction for whoever listens, of received ones too.
    this.document.on("update", this.keepUpdate);
    try {
      this.change(operation);
    } finally {
      this.document.off("update", this.keepUpdate);
    }
    this.own.push(this.lastUpdate);
    return undefined;
  }

  export(encoding: string, { since, from, to }: ExportRequest<YjsVersion>): YjsMessage | undefined {
    const { yjs, document } = this;
    switch (encoding) {
      case "update-v1":
        return { format: 1, updates: [yjs.encodeStateAsUpdate(document)] };
      case "update-v2":
        return { format: 2, updates: [yjs.encodeStateAsUpdateV2(document)] };
      case "diff-v1":
        return { format: 1, updates: [yjs.encodeStateAsUpdate(document, since?.vector)] };
      case "diff-v2":
        return { format: 2, updates: [yjs.encodeStateAsUpdateV2(document, since?.vector)] };
      case "diff-of-update": {
        const whole = yjs.encodeStateAsUpdate(document);
        return { format: 1, updates: [since === undefined ? whole : yjs.diffUpdate(whole, since.vector)] };
      }
    }
    const updates = this.own.slice(from, to).filter((update) => update !== undefined);
    if (encoding === "own-updates" || updates.length === 0) return { format: 1, updates };
    const merged = yjs.mergeUpdates(updates);
    if (encoding === "own-merged") return { format: 1, updates: [merged] };
    return { format: 2, updates: [yjs.convertUpdateFormatV1ToV2(merged)] };
  }

  receive({ format, updates }: YjsMessage): string | undefined {
    const apply = format === 1 ? this.yjs.applyUpdate : this.yjs.applyUpdateV2;
    for (const update of updates) apply(this.document, update);
    return undefined;
  }

  value(): unknown {
    this.shown ??= { map: this.showMap(), list: this.list.toArray(), text: this.text.toString() };
    return this.shown;
  }

  save(): YjsSaved {
    return { document: this.yjs.encodeStateAsUpdate(this.document), own: [...this.own] };
  }

  version(): YjsVersion {
    this.known ??= { vector: this.yjs.encodeStateVector(this.document), seen: this.describeSeen() };
    return this.known;
  }

  private change({ kind, field, key, value, index }: Operation): void {
    if (kind === "set") this.map.set(key, value);
    else if (kind === "delete") this.map.delete(key);
    else if (field === "list") {
      if (kind === "insert") this.list.insert(index, [value]);
      else this.list.delete(index, 1);
    } else if (kind === "insert") this.text.insert(index, String(value));
    else this.text.delete(index, 1);
  }

  private showMap(): Map<string, unknown> {
    const shown = new Map<string, unknown>();
    this.map.forEach((value, key) => {
      shown.set(key, value);
    });
    return shown;
  }

  /** What is deleted. */
  private describeSeen(): string {
    const { clients } = this.yjs.createDeleteSetFromStructStore(this.document.store);
    return clients.size === 0 ? "[]" : JSON.stringify([...clients].sort(([a], [b]) => a - b));
  }
}

/** Whether Yjs has an update to tell of. */
function changedSomething({ deleteSet, beforeState, afterState }: Transaction): boolean {
  if (deleteSet.clients.size > 0) return true;
  for (const [client, clock] of afterState) if (beforeState.get(client) !== clock) return true;
  return false;
}

export async function createAdapter(): Promise<CrdtAdapter<YjsMessage, YjsSaved, YjsVersion>> {
  // Its CommonJS build reads every function of the package below it through a getter: a tenth of the time of a schedule.
  const yjs = await importPackage<Yjs>({ name: "yjs", version: "13.6.33" });
  return {
    name: "yjs",
    summary: "yjs 13: a Y.Map, a Y.Array and a Y.Text, by whole updates, by what a peer lacks, and by single updates",
    style: "mutable",
    fields: [mapField(), LIST_FIELD, TEXT_FIELD],
    encodings: [
      { name: "update-v1", kind: "full" },
      { name: "update-v2", kind: "full" },
      { name: "diff-v1", kind: "delta" },
      { name: "diff-v2", kind: "delta" },
      { name: "diff-of-update", kind: "delta" },
      { name: "own-updates", kind: "operations" },
      { name: "own-merged", kind: "operations" },
      { name: "own-merged-v2", kind: "operations" },
    ],
    // An operation waits for those of its own client and for its neighbours in the structure, not for all its causes.
    underGaps: "partial",
    exportsPending: true,
    create: (context) => new YjsReplica(yjs, context, undefined),
    load: (saved, context) => new YjsReplica(yjs, context, saved),
  };
}
