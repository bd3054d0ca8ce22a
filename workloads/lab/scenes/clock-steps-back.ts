import { type Mug, receive, setPrice, showMug } from "../mug.ts";
import { playedToEnd } from "../play.ts";
import type { Scene } from "../scene.ts";
import { at, clockMoves, send } from "../stage.ts";
import { documents } from "./documents.ts";

export const clockStepsBack: Scene<Mug> = {
  id: "4",
  title: "A wall clock steps back; the hybrid logical clock does not",
  setting: [
    "It goes on where scene 2 ended, with the guard at 300,000 ms. The hybrid logical clock is the last line: the " +
      "greatest wall clock that the region has seen, its own or another's, and a counter for what happens within it. " +
      "Cairo's still shows 220000, Frankfurt's time, which came with the document.",
  ],
  start: playedToEnd(documents),
  steps: [
    at(
      "cai",
      "Cairo, whose wall clock shows 100000, sets the price to 110.",
      setPrice(110),
      "A stamp by the wall clock would be 100000, and lose against Frankfurt's 120 that Cairo has seen and replaced. " +
        "The stamp is (220000,2,cai): above everything that Cairo had seen when it wrote.",
    ),
    send("cai", "The document crosses to Frankfurt.", receive, "Cairo wrote last, and wins: cause before effect."),
    clockMoves("fra", 10_000, "Ten seconds pass in Frankfurt."),
    at("fra", "Frankfurt sets the price to 130.", setPrice(130), "The wall clock is ahead again: it leads, counter 0."),
    clockMoves("fra", -60_000, "Frankfurt's clock is corrected: it steps back by a minute."),
    at(
      "fra",
      "Frankfurt sets the price to 140.",
      setPrice(140),
      "By the wall clock, 170000, this write would be older than the one before it, and lost without a trace. The hybrid " +
        "clock stays at 230000 and counts on.",
    ),
    send("fra", "The document crosses to Cairo.", receive, "Cairo shows the last price that was set: 140."),
  ],
  show: showMug,
  moral:
    "A hybrid logical clock stays close to the wall clock, so that its stamps mean something to people, and never goes " +
    "back: a write that has seen another is always later. Between writes that have not seen each other, the clocks " +
    "still decide, and one of the two is lost. A register cannot do better.",
};
