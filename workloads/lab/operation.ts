import type { Operation } from "../../harness/contracts/crdt-fields.ts";

/** An operation on one part of the mug's row: its price, its stock or its tags. */
export function rowOperation(
  kind: "set" | "increment" | "add" | "remove",
  key: string,
  { value, element = "", amount = 0 }: { value?: unknown; element?: string; amount?: number },
): Operation {
  const field = kind === "set" ? "fields" : kind === "increment" ? "counters" : "sets";
  return { kind, field, key, value, element, amount, index: 0, to: "", number: 0 };
}

export const setPrice = (price: number) => rowOperation("set", "price", { value: price });
export const changeStock = (amount: number) => rowOperation("increment", "stock", { amount });
export const addTag = (element: string) => rowOperation("add", "tags", { element });
export const removeTag = (element: string) => rowOperation("remove", "tags", { element });
