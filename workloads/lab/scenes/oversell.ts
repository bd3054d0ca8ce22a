import {
  addToCounter,
  counterValue,
  emptyCounter,
  mergeCounters,
  type PnCounter,
} from "../../crdts/types/pn-counter.ts";
import { showSlots } from "../mug.ts";
import type { Scene } from "../scene.ts";
import { accepted, at, cross, linkBreaks, linkHeals } from "../stage.ts";

const LAST_MUG = addToCounter(emptyCounter(), "fra", 1);

const sell = (region: string) => (stage: { state: PnCounter }) =>
  [addToCounter(stage.state, region, -1), accepted("sold")] as const;

export const oversell: Scene<PnCounter> = {
  id: "5a",
  title: "What a counter cannot promise: the last mug is sold twice",
  setting: ["One mug is left. Both regions look before they sell, and both see it."],
  start: { fra: { wallMs: 220_000, state: LAST_MUG }, cai: { wallMs: 220_000, state: LAST_MUG }, link: "up" },
  steps: [
    linkBreaks(),
    at("fra", "Frankfurt sees 1 in stock, and sells it.", sell("fra")),
    at("cai", "Cairo sees 1 in stock, and sells it.", sell("cai")),
    linkHeals(),
    cross("The counters cross.", ({ state }, sent) => mergeCounters(state, sent), "1 - 1 - 1 = -1, in both regions."),
  ],
  show: (counter) => [{ label: "stock", value: String(counterValue(counter)), inside: showSlots(counter) }],
  moral:
    "The counter is right: two mugs were sold, and one was there. Every write counts, so nothing keeps the sum above " +
    "zero. That promise needs more than a merge.",
};
