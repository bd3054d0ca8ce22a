import { addTag, changeStock, type Mug, newMugs, receive, setPrice, showMug } from "../mug.ts";
import type { Scene } from "../scene.ts";
import { at, cross, linkBreaks, linkHeals } from "../stage.ts";

const { fra, cai } = newMugs();

export const documents: Scene<Mug> = {
  id: "2",
  title: "The same story with a CRDT for each part of the row",
  setting: [
    "The row is now a document. The price is a register: the greater timestamp wins, where timestamps come from a " +
      "hybrid logical clock, written (ms, counter, region). The stock is a counter in which each region adds up its own " +
      "sales: p holds what came in, n what went out. The tags are a set in which every add has a name of its own, such " +
      "as fra:1.",
    "The guard against broken clocks is set to 300,000 ms here, since Cairo is 120,000 ms behind: under the default of " +
      "60,000 Cairo would refuse Frankfurt's stamps. Scene 5 shows that.",
  ],
  start: { fra: { wallMs: 220_000, state: fra }, cai: { wallMs: 100_000, state: cai }, link: "up" },
  steps: [
    linkBreaks(),
    at("fra", "Frankfurt sets the price to 120.", setPrice(120)),
    at("fra", "Frankfurt sells one mug.", changeStock(-1), "It writes its own slot of n and no other."),
    at("cai", "A little later, Cairo sells two mugs.", changeStock(-2), "And so does Cairo: they cannot collide."),
    at("cai", "Cairo adds the tag sale.", addTag("sale")),
    linkHeals(),
    cross(
      "The documents cross, and each region merges what it got into what it has.",
      receive,
      "Price: only Frankfurt wrote it. Stock: slot by slot the greater sum, which is 10 - 2 - 1 = 7. Tags: both adds. " +
        "Merging twice, late or in another order gives the same.",
    ),
  ],
  show: showMug,
  moral:
    "Every write of both regions is there, and nobody asked anybody. A merge for each part, one that may come in any " +
    "order, any number of times, is all there is to it: it is commutative, associative and idempotent.",
};
