import { byOperation } from "../replicas/by-operation.ts";
import { opCounterParts } from "../replicas/op-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { counterEffect } from "../types/op-counter.ts";
import { covers, withTag } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "dedupe-by-greatest-sequence",
  "A sequence number that is not above the greatest seen so far must be a duplicate",
  "LOST-UPDATE",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () =>
  pureAdapter({
    ...byOperation({ ...opCounterParts, fields: [{ name: "count", type: "counter" }] }),
    ...head,
    underGaps: "applied",
    receive(ours, operations) {
      let { state, version } = ours;
      const log = [...ours.log];
      for (const operation of operations) {
        if (covers(version, operation.tag)) continue;
        state = counterEffect(state, operation.payload, operation.tag);
        version = withTag(version, operation.tag);
        log.push(operation);
      }
      return log.length === ours.log.length ? ours : { ...ours, state, version, log };
    },
  });
