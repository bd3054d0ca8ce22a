import type { Check } from "../contracts/check.ts";
import { lockRounds } from "./arms.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { type Interference, serverKeys } from "./server-keys.ts";
import { excerpt } from "./words.ts";

/** A key is deleted, extended or replaced only by a command that carries its owner's token. */
export const ownership: Check = {
  name: "ownership",
  needsTrace: true,
  summary: "At the servers, a key is deleted, extended or replaced only by a command that carries its owner's token",
  classes: {
    deleted: "A key was deleted by a command that carried another token than its owner's, or none",
    extended: "A key was given a new TTL by a command that carried another token than its owner's, or none",
    replaced: "A key was overwritten while its owner held it",
  },
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => casesIn(indexRound(armRound)));
    return findingsOf(ownership.name, cases, "command");
  },
};

function casesIn(index: RoundIndex): Case[] {
  return serverKeys(index).interferences.map((interference) => describe(index, interference));
}

function describe(index: RoundIndex, { hold, kind, event, carried }: Interference): Case {
  const command = String(event.detail?.command);
  const with_ = carried === undefined ? "without any token" : "with the token of another";
  return {
    index,
    class: kind,
    // Another's lock taken away is worse than one's own let go carelessly.
    weight: carried === undefined ? 0 : 1,
    message: `On node ${hold.node} the key of ${hold.key} was ${kind} ${with_}, by ${command}, while another token owned it.`,
    evidence: () =>
      excerpt(
        [hold.set, "the owner's token is written"],
        [hold.extensions.filter(({ atNs }) => atNs < event.atNs).at(-1), "its TTL is renewed"],
        [event, `${command} ${with_}`],
      ),
  };
}
