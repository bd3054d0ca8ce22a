import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { tickHlc } from "../types/hlc.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

class ReceiveIgnoresRemote extends DocumentReplica {
  protected override join(_remote: Timestamp, wallMs: number): Timestamp {
    return tickHlc(this.clock, wallMs);
  }
}

const head = mutant(
  "receive-ignores-remote",
  "Receiving is an event like any other, so the clock ticks, and the sender's time is the sender's business",
  "HLC-RECEIVE",
);

export const createAdapter = () => documentAdapter({ ...head, replica: ReceiveIgnoresRemote });
