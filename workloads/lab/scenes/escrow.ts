import {
  type BoundedCounter,
  boundedCounterValue,
  decrease,
  emptyBoundedCounter,
  InsufficientRightsError,
  increase,
  mergeBoundedCounters,
  rightsOf,
  transferRights,
} from "../../crdts/types/bounded-counter.ts";
import type { LabRegion, RegionStage, Scene } from "../scene.ts";
import { accepted, at, cross, linkBreaks, linkHeals, refused } from "../stage.ts";

const THREE_MUGS = transferRights(increase(emptyBoundedCounter(), "fra", 3), "fra", "cai", 1);

const sell =
  (region: LabRegion) =>
  ({ state }: RegionStage<BoundedCounter>) => {
    try {
      return [decrease(state, region, 1), accepted("sold")] as const;
    } catch (error) {
      if (!(error instanceof InsufficientRightsError)) throw error;
      return [state, refused(`${error.code}: ${error.message}`)] as const;
    }
  };

export const escrow: Scene<BoundedCounter> = {
  id: "5b",
  title: "The bounded counter: stock that is never oversold",
  setting: [
    "Three mugs are in stock. Every mug may be sold by one region only, the one that holds the right to it: Frankfurt " +
      "holds two rights, Cairo one. Rights can be handed over.",
  ],
  start: { fra: { wallMs: 220_000, state: THREE_MUGS }, cai: { wallMs: 220_000, state: THREE_MUGS }, link: "up" },
  steps: [
    linkBreaks(),
    at("cai", "Cairo sells one mug, without asking anyone.", sell("cai")),
    at(
      "cai",
      "A second customer comes to Cairo.",
      sell("cai"),
      "Cairo believes two mugs to be in stock, and must not sell them: it cannot know what Frankfurt has sold.",
    ),
    at("fra", "Frankfurt sells one mug.", sell("fra")),
    linkHeals(),
    at("fra", "Cairo asks for a right, and Frankfurt gives away its last one.", ({ state }) =>
      transferRights(state, "fra", "cai", 1),
    ),
    cross(
      "The counters cross.",
      ({ state }, sent) => mergeBoundedCounters(state, sent),
      "The right left Frankfurt when it was given away, and is Cairo's from now on. On the way it was nobody's.",
    ),
    at("fra", "A customer comes to Frankfurt, which has no rights left.", sell("fra")),
    at("cai", "Cairo sells the last mug.", sell("cai")),
    cross("The counters cross once more.", ({ state }, sent) => mergeBoundedCounters(state, sent)),
  ],
  show: (counter, region) => [
    { label: "stock", value: String(boundedCounterValue(counter)) },
    { label: "own rights", value: String(rightsOf(counter, region)) },
  ],
  moral:
    "Never below zero, with the link up or down. The price: a region may refuse a customer although another one has " +
    "stock, until rights were handed over. Escrow is the name of this in databases, since 1986.",
};
