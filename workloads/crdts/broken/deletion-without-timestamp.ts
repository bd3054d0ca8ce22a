import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { mapWithout } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

class DeletionWithoutTimestamp extends DocumentReplica {
  override apply(operation: Operation): string | undefined {
    if (operation.kind !== "delete") return super.apply(operation);
    this.tick();
    this.document = { ...this.document, fields: mapWithout(this.document.fields, operation.key) };
    return undefined;
  }
}

const head = mutant(
  "deletion-without-timestamp",
  "What is deleted is gone, so there is nothing left to put a timestamp on",
  "RESURRECTED",
);

export const createAdapter = () => documentAdapter({ ...head, replica: DeletionWithoutTimestamp });
