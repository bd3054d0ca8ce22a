import { byDelta } from "../replicas/by-delta.ts";
import { deltaCounterParts } from "../replicas/delta-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byDelta(deltaCounterParts);

const head = mutant(
  "refusal-acknowledged",
  "A message that cannot be used is dropped, and acknowledged, so that it does not come again and again",
  "LOST-UPDATE",
);

export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive(ours, message, context) {
      const outcome = correct.receive(ours, message, context);
      return typeof outcome === "string" ? ours : outcome;
    },
  });
