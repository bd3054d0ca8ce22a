import { byOperation } from "../replicas/by-operation.ts";
import { opCounterParts } from "../replicas/op-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { type OpCounter, resetOperation } from "../types/op-counter.ts";
import { mapOf } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byOperation(opCounterParts);

const head = mutant(
  "reset-applied-again",
  "Setting to zero is idempotent, so a reset needs no check whether it came before",
  "LOST-UPDATE",
);

/** Increments are recognised when they come again, resets are not. */
export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive(ours, operations, context) {
      const outcome = correct.receive(ours, operations, context);
      if (typeof outcome === "string" || !operations.some(({ payload }) => payload.kind === "reset")) return outcome;
      return { ...outcome, state: atZero(outcome.state, outcome.version) };
    },
  });

function atZero(counter: OpCounter, version: Parameters<typeof resetOperation>[1]): OpCounter {
  const reset = resetOperation(counter, version);
  return { totals: counter.totals, takenBack: reset.kind === "reset" ? reset.takenBack : mapOf([]) };
}
