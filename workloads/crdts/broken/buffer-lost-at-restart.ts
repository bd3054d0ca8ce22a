import { byOperation } from "../replicas/by-operation.ts";
import { opSetParts } from "../replicas/op-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "buffer-lost-at-restart",
  "What waits for its causes was not applied yet, so it is no part of the state that is saved",
  "ADD-LOST",
  "RESURRECTED",
);

/** Operations are broadcast once, and nobody sends again what was received. */
export const createAdapter = () =>
  pureAdapter({
    ...byOperation(opSetParts),
    ...head,
    encodings: [{ name: "operations", kind: "operations" }],
    network: { survivesLoss: false },
    save: (ours) => ({ ...ours, pending: [] }),
  });
