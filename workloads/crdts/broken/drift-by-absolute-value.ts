import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { driftMs } from "../types/hlc.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

class DriftByAbsoluteValue extends DocumentReplica {
  protected override refuses(remote: Timestamp, wallMs: number): boolean {
    return Math.abs(driftMs(remote, wallMs)) > this.maxDriftMs;
  }
}

const head = mutant(
  "drift-by-absolute-value",
  "A stamp that is far off is suspicious in either direction, so an old message is refused as well",
  "HLC-DRIFT",
);

export const createAdapter = () => documentAdapter({ ...head, replica: DriftByAbsoluteValue });
