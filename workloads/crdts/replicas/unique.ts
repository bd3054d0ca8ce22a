import { claimLocally, type Directory, emptyDirectory, mergeDirectories, ownersOf } from "../types/directory.ts";
import { homeOfKey } from "../types/home-region.ts";
import { mapHas } from "../types/sorted-map.ts";
import type { PureType } from "./pure-adapter.ts";

export interface ClaimingDirectory {
  readonly directory: Directory;
  /** How many tags this region used up. */
  readonly sequence: number;
}

const ADDRESSES = ["ada@example.com", "adel@example.com"] as const;

/** Every region says yes to an address that it believes to be free. */
export const uniqueLocalType: PureType<ClaimingDirectory, Directory> = {
  name: "unique-local",
  summary: "one e-mail address, one account, decided in every region by itself: two regions say yes",
  fields: [{ name: "accounts", type: "unique", keys: ADDRESSES }],
  initial: () => ({ directory: emptyDirectory(), sequence: 0 }),
  apply({ directory, sequence }, { key, value }, { id }) {
    if (mapHas(directory, key)) return "TAKEN";
    const tag = { region: id, sequence: sequence + 1 };
    return { directory: claimLocally(directory, key, String(value), tag), sequence: tag.sequence };
  },
  message: ({ directory }) => directory,
  receive: (ours, theirs) => ({ directory: mergeDirectories(ours.directory, theirs), sequence: ours.sequence }),
  show: ({ directory }) => ({ accounts: new Map(directory.keys.map((key) => [key, ownersOf(directory, key)[0]])) }),
  essence: ({ directory }) => directory,
};

/** Only the home of an address says yes; the others name it. */
export const uniqueHomeType: PureType<ClaimingDirectory, Directory> = {
  ...uniqueLocalType,
  name: "unique-home",
  summary: "one e-mail address, one account, decided in the home region of the address; elsewhere it is refused",
  apply(state, operation, context) {
    if (homeOfKey(operation.key, context.regions) !== context.id) return "NOT_HOME";
    return uniqueLocalType.apply(state, operation, context);
  },
};
