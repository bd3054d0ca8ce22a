import { emptyOpSet, type OpSet, removeOperation, type SetOperation, setEffect } from "../types/op-set.ts";
import { type ByOperation, byOperation } from "./by-operation.ts";
import { pureAdapter } from "./pure-adapter.ts";

export const opSetParts: ByOperation<OpSet, SetOperation> = {
  name: "op-set",
  summary: "the add-wins set by operations, without tombstones, each operation after its causes",
  fields: [{ name: "elements", type: "set", conflict: "add-wins" }],
  empty: emptyOpSet(),
  effect: setEffect,
  payload: ({ state }, { kind, element }) =>
    kind === "add" ? { kind: "add", element } : removeOperation(state, element),
  show: ({ keys }) => ({ elements: keys }),
};

export const createAdapter = () => pureAdapter(byOperation(opSetParts));
