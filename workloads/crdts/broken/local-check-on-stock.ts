import { boundedCounterType } from "../replicas/bounded-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { boundedCounterValue } from "../types/bounded-counter.ts";
import { mapGet, mapWith } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "local-check-on-stock",
  "There is stock as far as this region can see, so it may be sold",
  "NEGATIVE",
);

export const createAdapter = () =>
  pureAdapter({
    ...boundedCounterType,
    ...head,
    fields: boundedCounterType.fields.map((field) => ({ ...field, transfers: false })),
    apply(counter, operation, context) {
      if (operation.kind !== "decrement") return boundedCounterType.apply(counter, operation, context);
      if (operation.amount > boundedCounterValue(counter)) return "OUT_OF_STOCK";
      const used = mapWith(counter.used, context.id, (mapGet(counter.used, context.id) ?? 0) + operation.amount);
      return { granted: counter.granted, used };
    },
  });
