import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { DOCUMENT_MERGES, type Document, mergeDocuments } from "../types/document.ts";
import { mergeCounters } from "../types/pn-counter.ts";
import { mapGet } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

class DropsOneSidedKeys extends DocumentReplica {
  protected override merge(theirs: Document): Document {
    return mergeDocuments(this.document, theirs, {
      ...DOCUMENT_MERGES,
      counters: ({ keys, values }, b) => ({
        keys,
        values: values.map((counter, at) => mergeCounters(counter, mapGet(b, keys[at] as string) ?? counter)),
      }),
    });
  }
}

const head = mutant("drops-one-sided-keys", "Walking over the own keys covers all there is to merge", "LOST-UPDATE");

export const createAdapter = () => documentAdapter({ ...head, replica: DropsOneSidedKeys });
