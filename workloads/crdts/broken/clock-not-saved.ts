import { DocumentReplica, type DocumentSaved, documentAdapter } from "../replicas/document.ts";
import { initialHlc } from "../types/hlc.ts";
import { mutant } from "./shared/mutant.ts";

class ClockNotSaved extends DocumentReplica {
  override save(): DocumentSaved {
    return { ...super.save(), stamp: initialHlc(this.context.id) };
  }
}

const head = mutant(
  "clock-not-saved",
  "A clock need not be saved: after a restart there is the wall clock again",
  "HLC-REGRESSED",
);

export const createAdapter = () => documentAdapter({ ...head, replica: ClockNotSaved });
