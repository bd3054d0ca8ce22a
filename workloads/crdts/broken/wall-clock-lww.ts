import { type DocumentAdapter, DocumentReplica, documentAdapter } from "../replicas/document.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";
import { WRITES_ONLY } from "./shared/writes-only.ts";

class WallClockLww extends DocumentReplica {
  protected override tick(): Timestamp {
    this.clock = { l: this.context.clock.now(), c: 0, node: this.context.id };
    return this.clock;
  }
  protected override refuses(): boolean {
    return false;
  }
  protected override join(): Timestamp {
    return this.clock;
  }
}

const head = mutant(
  "wall-clock-lww",
  "Servers synchronise their clocks, so the time of day tells which write is the later one",
  "CAUSALITY",
);

/** It does not claim to have a hybrid logical clock: what it does to the data is what counts. */
export function createAdapter(): DocumentAdapter {
  const { hlc: _, ...adapter } = documentAdapter({ ...head, fields: WRITES_ONLY, replica: WallClockLww });
  return adapter;
}
