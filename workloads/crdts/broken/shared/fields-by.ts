import { DocumentReplica, type DocumentReplicaClass } from "../../replicas/document.ts";
import { DOCUMENT_MERGES, type Document, mergeDocuments } from "../../types/document.ts";
import type { Register } from "../../types/lww-register.ts";
import { mergeMaps } from "../../types/sorted-map.ts";

/** A document whose fields are merged by `choose`, and all else as it should be. */
export function fieldsBy(choose: (ours: Register, theirs: Register) => Register): DocumentReplicaClass {
  const merges = {
    ...DOCUMENT_MERGES,
    fields: (a: Document["fields"], b: Document["fields"]) => mergeMaps(a, b, choose),
  };
  return class extends DocumentReplica {
    protected override merge(theirs: Document): Document {
      return mergeDocuments(this.document, theirs, merges);
    }
  };
}
