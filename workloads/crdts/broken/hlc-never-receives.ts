import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

class HlcNeverReceives extends DocumentReplica {
  protected override join(): Timestamp {
    return this.clock;
  }
}

const head = mutant(
  "hlc-never-receives",
  "The clock stamps what is written here, and reading a message is not writing",
  "HLC-RECEIVE",
);

export const createAdapter = () => documentAdapter({ ...head, replica: HlcNeverReceives });
