import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

class ReceiveResetsCounter extends DocumentReplica {
  protected override join(remote: Timestamp, wallMs: number): Timestamp {
    return { l: Math.max(this.clock.l, remote.l, wallMs), c: 0, node: this.context.id };
  }
}

const head = mutant(
  "receive-resets-counter",
  "The clock has just taken over a new time, so counting starts anew",
  "HLC-RECEIVE",
);

export const createAdapter = () => documentAdapter({ ...head, replica: ReceiveResetsCounter });
