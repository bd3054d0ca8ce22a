import { addTag, type Mug, receive, removeTag, showMug } from "../mug.ts";
import { playedToEnd } from "../play.ts";
import type { Scene } from "../scene.ts";
import { at, cross, linkBreaks, linkHeals } from "../stage.ts";
import { documents } from "./documents.ts";

export const addWins: Scene<Mug> = {
  id: "3",
  title: "One region removes what the other adds again",
  setting: [
    "It goes on where scene 2 ended, with the guard at 300,000 ms as before. Both show the tags new and sale. What " +
      "should happen to an element that is removed here and added there, neither knowing of the other?",
  ],
  start: playedToEnd(documents),
  steps: [
    linkBreaks(),
    at(
      "cai",
      "Cairo removes the tag new.",
      removeTag("new"),
      "The remove takes the adds that Cairo has seen: fra:1. It is written down, so that an old message with fra:1 " +
        "cannot bring the tag back.",
    ),
    at(
      "fra",
      "Meanwhile Frankfurt adds the tag new again.",
      addTag("new"),
      "This add is called fra:2, and Cairo's remove has never seen it.",
    ),
    linkHeals(),
    cross(
      "The documents cross.",
      receive,
      "fra:1 is removed in both regions. fra:2 is in neither's list of removed adds, so the tag stays.",
    ),
  ],
  show: showMug,
  moral:
    "The add wins, by rule and in both regions. Someone who adds knows what they want; someone who removes can only mean " +
    "what they saw. Removing the tag by its name alone would have thrown away an add that nobody had looked at.",
};
