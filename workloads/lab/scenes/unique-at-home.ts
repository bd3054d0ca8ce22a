import {
  claimAtHome,
  type Directory,
  emptyDirectory,
  mergeDirectories,
  ownersOf,
} from "../../crdts/types/directory.ts";
import { homeOfKey, NotHomeError } from "../../crdts/types/home-region.ts";
import { LAB_NAMES, LAB_REGIONS, type LabRegion, type RegionStage, type Scene } from "../scene.ts";
import { accepted, at, cross, linkBreaks, linkHeals, refused } from "../stage.ts";

const ADDRESS = "ada@example.com";
const HOME = homeOfKey(ADDRESS, LAB_REGIONS) as LabRegion;
const AWAY: LabRegion = HOME === "fra" ? "cai" : "fra";

const signUp =
  (region: LabRegion, owner: string) =>
  ({ state }: RegionStage<Directory>) => {
    try {
      const tag = { region, sequence: 1 };
      return [claimAtHome(state, ADDRESS, owner, tag, LAB_REGIONS), accepted(`welcome, ${owner}`)] as const;
    } catch (error) {
      if (!(error instanceof NotHomeError)) throw error;
      return [state, refused(`${error.code}: ask ${LAB_NAMES[error.home as LabRegion]}`)] as const;
    }
  };

export const uniqueAtHome: Scene<Directory> = {
  id: "5d",
  title: "The home region: one place decides",
  setting: [
    `Every address has a home, computed from the address itself, the same in every region. That of ${ADDRESS} is ` +
      `${LAB_NAMES[HOME]}. Only the home says yes.`,
  ],
  start: {
    fra: { wallMs: 220_000, state: emptyDirectory() },
    cai: { wallMs: 220_000, state: emptyDirectory() },
    link: "up",
  },
  steps: [
    linkBreaks(),
    at(HOME, `Someone signs up in ${LAB_NAMES[HOME]}, the home, as ${ADDRESS}.`, signUp(HOME, "Ada")),
    at(
      AWAY,
      `Someone else signs up in ${LAB_NAMES[AWAY]} as ${ADDRESS}.`,
      signUp(AWAY, "Adel"),
      "With the link up the request would be routed to the home, and pay a round trip to hear that the address is " +
        "taken. With the link down, there is no answer to be had, and none is made up.",
    ),
    linkHeals(),
    cross("The directories cross.", ({ state }, sent) => mergeDirectories(state, sent)),
  ],
  show: (directory) => [{ label: ADDRESS, value: `[${ownersOf(directory, ADDRESS).join(", ")}]` }],
  moral:
    "One account. The price is a round trip for those who are not at home, and no answer while the home is out of reach. " +
    "What must be unique has to pay it; what merges does not.",
};
