import {
  claimLocally,
  type Directory,
  emptyDirectory,
  mergeDirectories,
  ownersOf,
} from "../../crdts/types/directory.ts";
import type { RegionStage, Scene } from "../scene.ts";
import { accepted, at, cross, linkBreaks, linkHeals } from "../stage.ts";

const ADDRESS = "ada@example.com";

const signUp =
  (region: string, owner: string) =>
  ({ state }: RegionStage<Directory>) =>
    [claimLocally(state, ADDRESS, owner, { region, sequence: 1 }), accepted(`welcome, ${owner}`)] as const;

export const uniqueEverywhere: Scene<Directory> = {
  id: "5c",
  title: "What cannot be merged: one e-mail address, two accounts",
  setting: [
    `An address may have one account. Each region looks whether ${ADDRESS} is free, and says yes or no at once.`,
  ],
  start: {
    fra: { wallMs: 220_000, state: emptyDirectory() },
    cai: { wallMs: 220_000, state: emptyDirectory() },
    link: "up",
  },
  steps: [
    linkBreaks(),
    at("fra", `Ada signs up in Frankfurt as ${ADDRESS}. It is free.`, signUp("fra", "Ada")),
    at("cai", `Adel signs up in Cairo as ${ADDRESS}. It is free.`, signUp("cai", "Adel")),
    linkHeals(),
    cross(
      "The directories cross.",
      ({ state }, sent) => mergeDirectories(state, sent),
      "Both were told that the address is theirs, and both answers are out. A merge can keep both, or take an account " +
        "away from someone who has it. It cannot make one of the answers not have been given.",
    ),
  ],
  show: (directory) => [{ label: ADDRESS, value: `[${ownersOf(directory, ADDRESS).join(", ")}]` }],
  moral:
    "Uniqueness is decided when the answer is given, not when states are merged. No CRDT can help: someone has to be " +
    "asked before the answer.",
};
