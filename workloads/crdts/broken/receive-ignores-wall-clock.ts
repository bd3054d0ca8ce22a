import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { joinHlc } from "../types/hlc.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

class ReceiveIgnoresWallClock extends DocumentReplica {
  protected override join(remote: Timestamp): Timestamp {
    return joinHlc(this.clock, remote, 0);
  }
}

const head = mutant(
  "receive-ignores-wall-clock",
  "On receiving, the greater of the two clocks counts, as with Lamport's, and the own wall clock comes in with the next write",
  "HLC-RECEIVE",
);

export const createAdapter = () => documentAdapter({ ...head, replica: ReceiveIgnoresWallClock });
