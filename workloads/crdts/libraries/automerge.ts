import type { Counter, Doc, Heads, SyncMessage, SyncState } from "@automerge/automerge";
import type { CrdtAdapter, ExportRequest, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import { DEFAULT_ELEMENTS, DEFAULT_KEYS, type Operation } from "../../../harness/contracts/crdt-fields.ts";
import { loadPackage } from "../../load-package.ts";
import { bringsWholeDocument, syncMessages } from "./automerge-sync.ts";
import { COUNTER_FIELD, LIST_FIELD, mapField, TEXT_FIELD } from "./fields.ts";

type Automerge = typeof import("@automerge/automerge");

interface Content extends Record<string, unknown> {
  map: Record<string, unknown>;
  multi: Record<string, unknown>;
  list: unknown[];
  text: string;
  count: Counter;
  set: Record<string, number>;
}

export type AutomergeMessage =
  | { readonly kind: "document"; readonly bytes: Uint8Array }
  | { readonly kind: "changes"; readonly changes: readonly Uint8Array[] }
  | { readonly kind: "sync"; readonly messages: readonly Uint8Array[] };

export interface AutomergeSaved {
  readonly document: Uint8Array;
  /** The change of each own operation. */
  readonly own: readonly (Uint8Array | undefined)[];
}

type Context = ReplicaContext<AutomergeSaved>;

class AutomergeReplica implements Replica<AutomergeMessage, AutomergeSaved, Heads> {
  private readonly automerge: Automerge;
  private readonly context: Context;
  private readonly own: (Uint8Array | undefined)[];
  private document: Doc<Content>;
  private shown: unknown;

  constructor(automerge: Automerge, context: Context, { document, own }: AutomergeSaved) {
    this.automerge = automerge;
    this.context = context;
    this.document = automerge.load(document, { actor: actorId(context.number) });
    this.own = [...own];
  }

  apply(operation: Operation): string | undefined {
    if (operation.kind === "set" && operation.value === undefined) return "UNDEFINED_REFUSED";
    if (operation.key === "__proto__" || operation.element === "__proto__") return "KEY_REFUSED";
    const { automerge } = this;
    const time = Math.floor(this.context.clock.now() / 1000);
    const before = this.document;
    const changed = automerge.change(before, { time }, (draft) => change(automerge, draft, operation));
    // Removing what is not there makes no change; an empty one still says what this region knew.
    this.document = changed === before ? automerge.emptyChange(before, { time }) : changed;
    this.own.push(automerge.getLastLocalChange(this.document));
    this.shown = undefined;
    return undefined;
  }

  export(encoding: string, { since, from, to }: ExportRequest<Heads>): AutomergeMessage | undefined {
    const { automerge, document } = this;
    switch (encoding) {
      case "save":
        return { kind: "document", bytes: this.saveWithoutWaiting() };
      case "changes":
        return { kind: "changes", changes: automerge.getAllChanges(document) };
      case "sync":
        return this.exportSync([]);
      case "own-changes":
        return { kind: "changes", changes: this.own.slice(from, to).filter((made) => made !== undefined) };
    }
    return this.exportSince(encoding, [...(since ?? [])]);
  }

  /**
   * Nothing where the peer is ahead: heads that are not in the document take nothing out of a message, and one that is
   * more than what the peer lacks is not what these encodings promise.
   */
  private exportSince(encoding: string, since: Heads): AutomergeMessage | undefined {
    const { automerge, document } = this;
    if (since.some((head) => automerge.inspectChange(document, head) === null)) return undefined;
    switch (encoding) {
      case "changes-since":
        return { kind: "changes", changes: automerge.getChangesSince(document, since) };
      case "save-since":
        return { kind: "document", bytes: automerge.saveSince(document, since) };
    }
    return this.exportSync(since);
  }

  receive(message: AutomergeMessage): string | undefined {
    const { automerge } = this;
    if (message.kind === "document") this.document = automerge.loadIncremental(this.document, message.bytes);
    else if (message.kind === "changes") [this.document] = automerge.applyChanges(this.document, [...message.changes]);
    else this.receiveSync(message.messages);
    this.shown = undefined;
    return undefined;
  }

  value(): unknown {
    this.shown ??= this.show();
    return this.shown;
  }

  save(): AutomergeSaved {
    return { document: this.automerge.save(this.document), own: [...this.own] };
  }

  version(): Heads {
    return [...this.automerge.getHeads(this.document)].sort();
  }

  private show(): unknown {
    const { map, multi, list, text, count, set } = this.document;
    return {
      map: new Map(Object.entries(map)),
      multi: new Map(Object.keys(multi).map((key) => [key, this.valuesOf(key)])),
      list: [...list],
      text,
      count: count.value,
      set: Object.keys(set).sort(),
    };
  }

  /** The values of all maximal writes. */
  private valuesOf(key: string): unknown[] {
    const conflicts = this.automerge.getConflicts(this.document.multi, key);
    return conflicts === undefined ? [this.document.multi[key]] : Object.values(conflicts);
  }

  /**
   * The protocol may find it cheaper to send the whole document, and with it what waits for its causes: more than what
   * the peer lacks, and than the other encodings hold.
   */
  private exportSync(since: Heads): AutomergeMessage {
    const { automerge, document } = this;
    const messages = syncMessages(automerge, document, since);
    const mayBeWhole = since.length === 0 && !this.isWaiting;
    if (mayBeWhole || !bringsWholeDocument(automerge, messages)) return { kind: "sync", messages };
    return { kind: "changes", changes: automerge.getChangesSince(document, [...since]) };
  }

  /** `save` also holds changes that wait for their causes, which the other encodings leave out. */
  private saveWithoutWaiting(): Uint8Array {
    const { automerge, document } = this;
    return this.isWaiting ? automerge.saveSince(document, []) : automerge.save(document);
  }

  /** It has received changes whose causes have not come. */
  private get isWaiting(): boolean {
    return this.automerge.getMissingDeps(this.document, []).length > 0;
  }

  private receiveSync(messages: readonly Uint8Array[]): void {
    let state: SyncState = this.automerge.initSyncState();
    for (const message of messages) {
      [this.document, state] = this.automerge.receiveSyncMessage(this.document, state, message as SyncMessage);
    }
  }
}

/** Hexadecimal, as actor ids are. */
const actorId = (number: number) => number.toString(16).padStart(32, "0");
const GENESIS_ACTOR = "f".repeat(32);
function change(
  automerge: Automerge,
  draft: Content,
  { kind, field, key, value, element, amount, index, number }: Operation,
): void {
  switch (kind) {
    case "set":
      (field === "map" ? draft.map : draft.multi)[key] = value;
      break;
    case "delete":
      delete (field === "map" ? draft.map : draft.multi)[key];
      break;
    case "add":
      // A value of its own each time: writing what is there already is no operation for automerge.
      draft.set[element] = number;
      break;
    case "remove":
      delete draft.set[element];
      break;
    case "increment":
      draft.count.increment(amount);
      break;
    case "insert":
      if (field === "list") automerge.insertAt(draft.list, index, value);
      else automerge.splice(draft, ["text"], index, 0, String(value));
      break;
    case "erase":
      if (field === "list") automerge.deleteAt(draft.list, index);
      else automerge.splice(draft, ["text"], index, 1);
  }
}

/** A document with its containers, the same for all: two that were made apart would be two containers. */
function makeGenesis(automerge: Automerge): AutomergeSaved {
  const empty = automerge.init<Content>({ actor: GENESIS_ACTOR });
  const made = automerge.change(empty, { time: 0 }, (draft) => {
    Object.assign(draft, { map: {}, multi: {}, list: [], text: "", count: new automerge.Counter(0), set: {} });
  });
  return { document: automerge.save(made), own: [] };
}

export function createAdapter(): CrdtAdapter<AutomergeMessage, AutomergeSaved, Heads> {
  const automerge = loadPackage<Automerge>({ name: "@automerge/automerge", version: "3.5.0" });
  return {
    name: "automerge",
    summary: "automerge 3: maps, a list, a text, a counter, by saved documents, by changes, and by the sync protocol",
    style: "mutable",
    fields: [
      mapField(DEFAULT_KEYS.filter((key) => key !== "__proto__")),
      { name: "multi", type: "map", keys: ["a", "b"], conflict: "multi-value", values: [] },
      LIST_FIELD,
      TEXT_FIELD,
      COUNTER_FIELD,
      {
        name: "set",
        type: "set",
        conflict: "add-wins",
        elements: DEFAULT_ELEMENTS.filter((key) => key !== "__proto__"),
      },
    ],
    encodings: [
      { name: "save", kind: "full" },
      { name: "changes", kind: "full" },
      { name: "changes-since", kind: "delta" },
      { name: "save-since", kind: "delta" },
      { name: "sync", kind: "full" },
      { name: "sync-since", kind: "delta" },
      { name: "own-changes", kind: "operations" },
    ],
    underGaps: "buffered",
    genesis: () => makeGenesis(automerge),
    canon: (value) => (Object.is(value, -0) ? 0 : value),
    create: (context) => new AutomergeReplica(automerge, context, context.genesis ?? makeGenesis(automerge)),
    load: (saved, context) => new AutomergeReplica(automerge, context, saved),
  };
}
