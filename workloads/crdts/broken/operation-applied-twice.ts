import { byOperation } from "../replicas/by-operation.ts";
import { opCounterParts } from "../replicas/op-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { counterEffect } from "../types/op-counter.ts";
import { covers } from "../types/version-vector.ts";
import { mutant } from "./shared/mutant.ts";

const correct = byOperation(opCounterParts);

const head = mutant("operation-applied-twice", "The network delivers every message once", "DOUBLE-COUNT");

export const createAdapter = () =>
  pureAdapter({
    ...correct,
    ...head,
    receive(ours, operations, context) {
      const again = operations.filter(({ tag, payload }) => payload.kind === "increment" && covers(ours.version, tag));
      const state = again.reduce((counter, { payload, tag }) => counterEffect(counter, payload, tag), ours.state);
      return correct.receive(again.length === 0 ? ours : { ...ours, state }, operations, context);
    },
  });
