import { byOperation } from "../replicas/by-operation.ts";
import { opSetParts } from "../replicas/op-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { type SetOperation, setEffect } from "../types/op-set.ts";
import type { LoggedOperation } from "../types/operation-log.ts";
import { compareTags } from "../types/tag.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "remove-before-add-dropped",
  "Removing what is not there does nothing, so such a remove needs no further thought",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

/** Operations are told apart one by one and applied as they come. */
export const createAdapter = () =>
  pureAdapter({
    ...byOperation(opSetParts),
    ...head,
    underGaps: "applied",
    receive(ours, operations) {
      const isKnown = ({ tag }: LoggedOperation<SetOperation>) =>
        ours.log.some((each) => compareTags(each.tag, tag) === 0);
      const unknown = operations.filter((operation) => !isKnown(operation));
      if (unknown.length === 0) return ours;
      const state = unknown.reduce((set, { payload, tag }) => setEffect(set, payload, tag), ours.state);
      return { ...ours, state, log: [...ours.log, ...unknown] };
    },
    message: (ours, encoding, { from, to }, { id }) => {
      const own = ours.log.filter(({ tag }) => tag.region === id).slice(from, to);
      return encoding === "operations" ? own : ours.log;
    },
    encodings: [
      { name: "operations", kind: "operations" },
      { name: "log", kind: "full" },
    ],
  });
