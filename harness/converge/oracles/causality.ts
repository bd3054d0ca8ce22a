import { ABSENT } from "../../contracts/crdt-adapter.ts";
import { same } from "../equality/same.ts";
import type { ValueOracle } from "./oracle.ts";

export const causality: ValueOracle = {
  name: "CAUSALITY",
  title: "an older write shows over a newer one",
  tier: "step",
  kind: "value",
  summary: "An older write shows over a newer one that saw it",
  explains: ({ type, shown, known }) =>
    (type === "register" || type === "map") &&
    shown !== ABSENT &&
    known.some(({ live, value }) => !live && same(value, shown)),
};
