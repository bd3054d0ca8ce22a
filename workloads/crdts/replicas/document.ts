import type { CrdtAdapter, Mutant, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import type { Field, Operation } from "../../../harness/contracts/crdt-fields.ts";
import { decodeState, encodeState } from "../types/codec.ts";
import {
  addToCounterOf,
  addToSetOf,
  counterValues,
  type Document,
  deleteField,
  elementsOfSets,
  emptyDocument,
  fieldValues,
  mergeDocuments,
  removeFromSetOf,
  setField,
} from "../types/document.ts";
import { DEFAULT_MAX_DRIFT_MS, driftMs, initialHlc, joinHlc, tickHlc } from "../types/hlc.ts";
import type { Tag } from "../types/tag.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { ROW_FIELDS } from "./fields.ts";

/** The whole state, and the sender's clock. */
export interface DocumentMessage {
  readonly stamp: Timestamp;
  readonly document: Document;
}

export interface DocumentSaved {
  readonly stamp: Timestamp;
  readonly document: Document;
  /** How many tags were used up. */
  readonly sequence: number;
}

export type DocumentContext = ReplicaContext<DocumentSaved>;
export type DocumentAdapter = CrdtAdapter<DocumentMessage, DocumentSaved>;

const NOTHING = new Map<string, never>();

/** One region with one document. The broken documents replace one of its methods. */
export class DocumentReplica implements Replica<DocumentMessage, DocumentSaved> {
  protected readonly context: DocumentContext;
  protected readonly maxDriftMs: number;
  protected document: Document;
  /** The state of the hybrid logical clock. */
  protected clock: Timestamp;
  protected sequence: number;
  private shown: Document = emptyDocument();
  private shownFields: ReadonlyMap<string, unknown> = NOTHING;
  private shownCounters: ReadonlyMap<string, number> = NOTHING;
  private shownSets: ReadonlyMap<string, readonly string[]> = NOTHING;
  private shownValue: unknown;

  constructor(context: DocumentContext, maxDriftMs: number, saved: DocumentSaved | undefined) {
    this.context = context;
    this.maxDriftMs = maxDriftMs;
    this.document = saved === undefined ? emptyDocument() : saved.document;
    this.clock = saved === undefined ? initialHlc(context.id) : saved.stamp;
    this.sequence = saved === undefined ? 0 : saved.sequence;
  }

  apply({ kind, key, value, element, amount }: Operation): string | undefined {
    const { document } = this;
    if (kind === "set") this.document = setField(document, key, value, this.tick());
    else if (kind === "delete") this.document = deleteField(document, key, this.tick());
    else if (kind === "increment") this.document = addToCounterOf(document, key, this.context.id, amount);
    else if (kind === "add") this.document = addToSetOf(document, key, element, this.nextTag());
    else if (kind === "remove") this.document = removeFromSetOf(document, key, element);
    else return "UNKNOWN_OPERATION";
    return undefined;
  }

  export(): DocumentMessage {
    return { stamp: this.clock, document: this.document };
  }

  receive({ stamp, document }: DocumentMessage): string | undefined {
    const wallMs = this.context.clock.now();
    if (this.refuses(stamp, wallMs)) return "CLOCK_DRIFT";
    this.clock = this.join(stamp, wallMs);
    this.document = this.merge(document);
    return undefined;
  }

  /** Part by part, since most operations change one part only. */
  value(): unknown {
    const { document, shown } = this;
    if (document === shown && this.shownValue !== undefined) return this.shownValue;
    if (document.fields !== shown.fields) this.shownFields = fieldValues(document.fields);
    if (document.counters !== shown.counters) this.shownCounters = counterValues(document.counters);
    if (document.sets !== shown.sets) this.shownSets = elementsOfSets(document.sets);
    this.shown = document;
    this.shownValue = { fields: this.shownFields, counters: this.shownCounters, sets: this.shownSets };
    return this.shownValue;
  }

  save(): DocumentSaved {
    return { stamp: this.clock, document: this.document, sequence: this.sequence };
  }

  state(): unknown {
    return this.document;
  }

  stamp(): Timestamp {
    return this.clock;
  }

  protected tick(): Timestamp {
    this.clock = tickHlc(this.clock, this.context.clock.now());
    return this.clock;
  }

  protected refuses(remote: Timestamp, wallMs: number): boolean {
    return driftMs(remote, wallMs) > this.maxDriftMs;
  }

  protected join(remote: Timestamp, wallMs: number): Timestamp {
    return joinHlc(this.clock, remote, wallMs);
  }

  protected nextTag(): Tag {
    this.sequence += 1;
    return { region: this.context.id, sequence: this.sequence };
  }

  protected merge(theirs: Document): Document {
    return mergeDocuments(this.document, theirs);
  }
}

export type DocumentReplicaClass = new (
  context: DocumentContext,
  maxDriftMs: number,
  saved: DocumentSaved | undefined,
) => DocumentReplica;

export interface DocumentAdapterOptions {
  name?: string;
  summary?: string;
  /** Default 60,000. */
  maxDriftMs?: number;
  /** What a schedule uses of the document. Default: all of it. */
  fields?: readonly Field[];
  /** A deviation, for the zoo. */
  replica?: DocumentReplicaClass;
  broken?: Mutant;
}

export function documentAdapter({
  name = "document",
  summary = "fields that the last writer wins by hybrid logical clock, counters, and add-wins sets",
  maxDriftMs = DEFAULT_MAX_DRIFT_MS,
  fields = ROW_FIELDS,
  replica: Class = DocumentReplica,
  broken,
}: DocumentAdapterOptions = {}): DocumentAdapter {
  return {
    name,
    summary,
    style: "immutable",
    fields,
    encodings: [{ name: "state", kind: "full" }],
    codec: {
      encode: encodeState,
      decode: (text) => decodeState(text as string) as DocumentMessage,
    },
    hlc: { maxDriftMs, messageStamp: ({ stamp }) => stamp },
    ...(broken === undefined ? {} : { broken }),
    create: (context) => new Class(context, maxDriftMs, undefined),
    load: (saved, context) => new Class(context, maxDriftMs, saved),
  };
}

export const adapterOptions = {
  maxDriftMs: "How far a message's clock may be ahead before it is refused, in ms",
};

export function createAdapter(options: Readonly<Record<string, unknown>>): DocumentAdapter {
  const { maxDriftMs } = options;
  return documentAdapter(typeof maxDriftMs === "number" ? { maxDriftMs } : {});
}
