import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { mutant } from "./shared/mutant.ts";

class HlcWithoutCounter extends DocumentReplica {
  protected override tick(): Timestamp {
    this.clock = { ...this.clock, l: Math.max(this.clock.l, this.context.clock.now()) };
    return this.clock;
  }
}

const head = mutant(
  "hlc-without-counter",
  "A clock that never goes back is enough: nobody writes twice in a millisecond",
  "HLC-REGRESSED",
);

export const createAdapter = () => documentAdapter({ ...head, replica: HlcWithoutCounter });
