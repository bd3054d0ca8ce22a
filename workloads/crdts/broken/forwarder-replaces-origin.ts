import { byOperation } from "../replicas/by-operation.ts";
import { opCounterParts } from "../replicas/op-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "forwarder-replaces-origin",
  "Who passes a message on is its sender, so its operations carry the sender's id",
  "DOUBLE-COUNT",
  "LOST-UPDATE",
);

export const createAdapter = () =>
  pureAdapter({
    ...byOperation(opCounterParts),
    ...head,
    forward: (_state, operations, { id }) =>
      operations.map((operation) => ({ ...operation, tag: { region: id, sequence: operation.tag.sequence } })),
  });
