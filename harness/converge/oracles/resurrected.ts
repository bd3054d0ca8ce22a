import { ABSENT } from "../../contracts/crdt-adapter.ts";
import { same } from "../equality/same.ts";
import type { ValueOracle } from "./oracle.ts";

export const resurrected: ValueOracle = {
  name: "RESURRECTED",
  title: "something that was removed came back",
  tier: "step",
  kind: "value",
  summary: "Something shows although a known removal saw everything that put it there",
  explains({ type, shown, expected, known }) {
    if (type === "set") return shown === true;
    if (type === "list") {
      const items: readonly unknown[] = Array.isArray(shown) || typeof shown === "string" ? [...shown] : [];
      return known.some(({ removal, live, value }) => !removal && !live && items.some((item) => same(item, value)));
    }
    return (
      (type === "register" || type === "map") &&
      shown !== ABSENT &&
      expected.every((value) => value === ABSENT) &&
      known.length > 0
    );
  },
};
