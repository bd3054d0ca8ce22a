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
    unguarded: "A command without a token met its sender's own key, and would have met anybody's",
  },
  lesser: ["unguarded"],
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => casesIn(indexRound(armRound)));
    return findingsOf(ownership.name, cases, "command");
  },
};

function casesIn(index: RoundIndex): Case[] {
  return serverKeys(index).interferences.map((interference) => describe(index, interference));
}

function describe(index: RoundIndex, { hold, kind, event, carried, sender }: Interference): Case {
  const command = String(event.detail?.command);
  const with_ = carried === undefined ? "without any token" : "with the token of another";
  const own = carried === undefined && sender === "owner";
  return {
    index,
    class: own ? "unguarded" : kind,
    // Another's lock taken away is worse than one of which nobody can say whose it was.
    weight: carried !== undefined ? 2 : sender === "another" ? 1 : 0,
    message: `On node ${hold.node} the key of ${hold.key} was ${kind} ${with_}, by ${command}, ${whose(carried, sender)}.`,
    evidence: () =>
      excerpt(
        [hold.set, "the owner's token is written"],
        [hold.extensions.filter(({ atNs }) => atNs < event.atNs).at(-1), "its TTL is renewed"],
        [event, `${command} ${with_}`],
      ),
  };
}

function whose(carried: string | undefined, sender: Interference["sender"]): string {
  if (carried !== undefined) return "while another token owned it";
  const anybody = "which meets whoever holds it";
  if (sender === "another") return `${anybody}: here it came from another connection than its owner's`;
  return sender === "owner" ? `${anybody}: here it was the sender's own` : anybody;
}
