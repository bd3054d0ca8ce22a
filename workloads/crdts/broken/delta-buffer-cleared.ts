import { byDelta } from "../replicas/by-delta.ts";
import { deltaCounterParts } from "../replicas/delta-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import type { DeltaState } from "../types/delta.ts";
import type { PnCounter } from "../types/pn-counter.ts";
import { dominates } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byDelta(deltaCounterParts);

const head = mutant(
  "delta-buffer-cleared",
  "Once a delta is acknowledged it can leave the buffer, whoever it was that acknowledged it",
  "LOST-UPDATE",
  "DELTA-FULL",
);

export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive(ours, message, context) {
      const outcome = correct.receive(ours, message, context) as DeltaState<PnCounter, PnCounter> | "GAP";
      if (outcome === "GAP") return outcome;
      const acknowledged = message.kind === "state" ? message.whole.version : message.delta.after;
      return { ...outcome, log: outcome.log.filter(({ upTo }) => !dominates(acknowledged, upTo)) };
    },
  });
