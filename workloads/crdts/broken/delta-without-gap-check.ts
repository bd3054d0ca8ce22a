import { byDelta } from "../replicas/by-delta.ts";
import { deltaSetParts } from "../replicas/delta-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { emptyVersion } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byDelta(deltaSetParts);

const head = mutant(
  "delta-without-gap-check",
  "A delta is joined like any state, so it does not matter what came before it",
  "ADD-LOST",
  "RESURRECTED",
  "DELTA-FULL",
);

export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive: (ours, message, context) =>
      correct.receive(
        ours,
        message.kind === "state" ? message : { kind: "delta", delta: { ...message.delta, after: emptyVersion() } },
        context,
      ),
  });
