import { playScene } from "./play.ts";
import { type PlayedPolicies, playPolicies } from "./policies.ts";
import type { PlayedScene, Scene } from "./scene.ts";
import { addWins } from "./scenes/add-wins.ts";
import { clockDrift } from "./scenes/clock-drift.ts";
import { clockStepsBack } from "./scenes/clock-steps-back.ts";
import { documents } from "./scenes/documents.ts";
import { escrow } from "./scenes/escrow.ts";
import { naiveRows } from "./scenes/naive-rows.ts";
import { oversell } from "./scenes/oversell.ts";
import { uniqueAtHome } from "./scenes/unique-at-home.ts";
import { uniqueEverywhere } from "./scenes/unique-everywhere.ts";

export interface LabScene {
  /** `1` to `4`, `5a` to `5e`, `6`. */
  readonly id: string;
  readonly title: string;
  play(): PlayedScene | PlayedPolicies;
}

/** The scenes of the lesson, in order. */
export const labScenes: readonly LabScene[] = [
  playable(naiveRows),
  playable(documents),
  playable(addWins),
  playable(clockStepsBack),
  playable(oversell),
  playable(escrow),
  playable(uniqueEverywhere),
  playable(uniqueAtHome),
  playable(clockDrift),
  { id: "6", title: "One story, six policies", play: playPolicies },
];

/** Scenes by id, or by the number of a group: `5` is `5a` to `5e`. Empty if there is none of that name. */
export function findScenes(id: string): readonly LabScene[] {
  const exact = labScenes.filter((scene) => scene.id === id);
  return exact.length > 0
    ? exact
    : labScenes.filter((scene) => /^\d+$/.test(id) && scene.id.replace(/\D+$/, "") === id);
}

function playable<State>(scene: Scene<State>): LabScene {
  return { id: scene.id, title: scene.title, play: () => playScene(scene) };
}
