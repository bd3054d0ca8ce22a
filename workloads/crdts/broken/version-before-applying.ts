import { byOperation } from "../replicas/by-operation.ts";
import { opSetParts } from "../replicas/op-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { withTag } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byOperation(opSetParts);

const head = mutant(
  "version-before-applying",
  "What was received is known, so the version may say so even if it still waits in the buffer",
  "ADD-LOST",
  "RESURRECTED",
);

export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive(ours, operations, context) {
      const outcome = correct.receive(ours, operations, context);
      if (typeof outcome === "string") return outcome;
      const version = outcome.pending.reduce((seen, { tag }) => withTag(seen, tag), outcome.version);
      return version === outcome.version ? outcome : { ...outcome, version };
    },
  });
