import {
  type DocumentAdapter,
  DocumentReplica,
  type DocumentReplicaClass,
  documentAdapter,
} from "../replicas/document.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

/** @param bits 16 in the field; narrower here, so that it overflows within a short schedule as 16 bits do within a burst */
function overflowing(bits: number): DocumentReplicaClass {
  const mask = 2 ** bits - 1;
  return class extends DocumentReplica {
    protected override tick(): Timestamp {
      const { l, c, node } = super.tick();
      this.clock = { l, c: c & mask, node };
      return this.clock;
    }
    protected override join(remote: Timestamp, wallMs: number): Timestamp {
      const { l, c, node } = super.join(remote, wallMs);
      return { l, c: c & mask, node };
    }
  };
}

const head = mutant(
  "counter-overflow",
  "Some bits are enough for the counter, as it starts anew with every millisecond",
  "HLC-REGRESSED",
  "HLC-RECEIVE",
);

export const adapterOptions = { bits: "Width of the counter, 2 by default" };

/** @param options `bits`: width of the counter, default 2 */
export function createAdapter({ bits = 2 }: Readonly<Record<string, unknown>>): DocumentAdapter {
  return documentAdapter({ ...head, replica: overflowing(Number(bits)) });
}
