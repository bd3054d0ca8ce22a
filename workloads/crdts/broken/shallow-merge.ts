import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { DOCUMENT_MERGES, type Document, mergeDocuments } from "../types/document.ts";
import { mergeMaps } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

/** `{ ...ours, ...theirs }`: one level of the nested maps is merged, and what is below is replaced. */
class ShallowMerge extends DocumentReplica {
  protected override merge(theirs: Document): Document {
    return mergeDocuments(this.document, theirs, {
      ...DOCUMENT_MERGES,
      counters: (a, b) => mergeMaps(a, b, (_, counter) => counter),
    });
  }
}

const head = mutant(
  "shallow-merge",
  "Spreading the one object over the other merges them",
  "LOST-UPDATE",
  "DOUBLE-COUNT",
);

export const createAdapter = () => documentAdapter({ ...head, replica: ShallowMerge });
