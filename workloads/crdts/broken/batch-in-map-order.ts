import { byOperation } from "../replicas/by-operation.ts";
import { opSetParts } from "../replicas/op-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { setEffect } from "../types/op-set.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byOperation(opSetParts);

const head = mutant(
  "batch-in-map-order",
  "The operations of one message belong together, so they can be kept by kind and applied kind by kind",
  "RESURRECTED",
);

/** What is ready is applied as one batch: first its removes, then its adds. */
export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive(ours, operations, context) {
      const outcome = correct.receive(ours, operations, context);
      if (typeof outcome === "string") return outcome;
      const ready = outcome.log.slice(ours.log.length);
      const ofKind = (kind: string) => ready.filter(({ payload }) => payload.kind === kind);
      const batch = [...ofKind("remove"), ...ofKind("add")];
      return { ...outcome, state: batch.reduce((set, { payload, tag }) => setEffect(set, payload, tag), ours.state) };
    },
  });
