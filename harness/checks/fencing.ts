import type { Check, CheckedRun } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import { groupBy, lockRounds } from "./arms.ts";
import { assumptionBetween } from "./assumptions.ts";
import { type Belief, beliefsOf } from "./beliefs.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { claimOf } from "./claims.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { ownerChanges } from "./server-keys.ts";
import { excerpt, withArticle, worker } from "./words.ts";

type Broken = Case & { class: keyof typeof CLASSES };

const CLASSES = {
  "token not unique": "Two grants of a key carried the same fencing token",
  "token went backwards": "A grant that was asked for after another had returned carried a lower token",
  "token out of order": "The key's owner changed at the server in another order than the tokens count",
  "owner refused": "The owner's write, inside its lease, was refused because of a token whose lease had ended",
  "late write accepted": "With enforcement off, a write was accepted after a higher token had been granted",
} as const;

/** Fencing tokens count up with the grants of a key, so that the resource can refuse those who come late. */
export const fencing: Check = {
  name: "fencing",
  summary: "Fencing tokens are unique, count up with the grants, and shut out nobody but late holders",
  classes: CLASSES,
  check(run) {
    const broken = lockRounds(run).flatMap((armRound) => brokenIn(indexRound(armRound), run));
    return findingsOf(fencing.name, broken);
  },
};

type Minted = Belief & { fence: number };

function brokenIn(index: RoundIndex, run: CheckedRun): Broken[] {
  const minted = beliefsOf(index).flatMap((belief): Minted[] => {
    const fence = belief.acquire.end.fencingToken;
    return fence === undefined ? [] : [{ ...belief, fence }];
  });
  if (minted.length === 0) return [];
  const byKey = groupBy(minted, ({ key }) => key);
  return [
    ...[...byKey.values()].flatMap((grants) => [...notUnique(index, grants), ...backwards(index, grants)]),
    ...[...byKey.entries()].flatMap(([key, grants]) => outOfOrder(index, key, grants)),
    ...refusedOwners(index, byKey, run),
    ...(run.plan.fencing === "off" ? lateWrites(index, byKey) : []),
  ];
}

function notUnique(index: RoundIndex, grants: readonly Minted[]): Broken[] {
  return [...groupBy(grants, ({ fence }) => String(fence)).values()]
    .filter((same) => same.length > 1)
    .map(([first, second]) => ({
      index,
      class: "token not unique",
      weight: 0,
      message: `Two grants of ${first!.key} carried the fencing token ${first!.fence}${after(index, first!, second!)}.`,
      evidence: () =>
        excerpt(
          [first!.acquire.end, `granted with token ${first!.fence}`],
          [second!.acquire.end, `granted with token ${second!.fence} again`],
        ),
    }));
}

/** The highest token among the grants that had returned when this one was called must be lower than its own. */
function backwards(index: RoundIndex, grants: readonly Minted[]): Broken[] {
  const broken: Broken[] = [];
  const byCall = grants.toSorted((a, b) => calledNs(a) - a.errorNs - (calledNs(b) - b.errorNs));
  const byReturn = grants.toSorted((a, b) => a.startNs + a.errorNs - (b.startNs + b.errorNs));
  let returned = 0;
  let highest: Minted | undefined;
  for (const grant of byCall) {
    for (; returned < byReturn.length; returned += 1) {
      const other = byReturn[returned]!;
      if (other.startNs + other.errorNs >= calledNs(grant) - grant.errorNs) break;
      if (!highest || other.fence > highest.fence) highest = other;
    }
    const higher = highest;
    if (!higher || higher.fence <= grant.fence) continue;
    broken.push({
      index,
      class: "token went backwards",
      weight: 0,
      message: `${grant.key} was granted with token ${grant.fence} after it had been granted with ${higher.fence}${after(index, higher, grant)}.`,
      evidence: () =>
        excerpt(
          [higher.acquire.end, `granted with token ${higher.fence}`],
          [grant.acquire.invoke, "only now is the next one asked for"],
          [grant.acquire.end, `and granted with token ${grant.fence}`],
        ),
    });
  }
  return broken;
}

/** Needs the command trace: in the order in which the key's owner changed at a node, tokens must rise. */
function outOfOrder(index: RoundIndex, key: string, grants: readonly Minted[]): Broken[] {
  const byToken = new Map(grants.map((grant) => [grant.acquire.end.token, grant]));
  const broken: Broken[] = [];
  for (const changes of groupBy(ownerChanges(index, key), ({ node }) => String(node)).values()) {
    let before: { grant: Minted; event: HistoryEvent } | undefined;
    for (const { token, event } of changes) {
      const grant = byToken.get(token);
      if (!grant) continue;
      const former = before;
      if (former && grant.fence < former.grant.fence) {
        broken.push({
          index,
          class: "token out of order",
          weight: 0,
          message: `At the server ${key} went from token ${former.grant.fence} to token ${grant.fence}${after(index, former.grant, grant)}.`,
          evidence: () =>
            excerpt(
              [former.event, `the key's owner is now the holder of token ${former.grant.fence}`],
              [event, `its owner is now the holder of token ${grant.fence}`],
              [former.grant.acquire.end, `granted with token ${former.grant.fence}`],
              [grant.acquire.end, `granted with token ${grant.fence}`],
            ),
        });
      }
      before = { grant, event };
    }
  }
  return broken;
}

/** A refused write of one who was inside its lease, shut out by a token whose holder's lease had ended before. */
function refusedOwners(index: RoundIndex, byKey: ReadonlyMap<string, Minted[]>, { plan }: CheckedRun): Broken[] {
  const renewsByItself = capabilitiesOf(index).renewal === "auto";
  const leaseEndNs = (grant: Minted, atNs?: number) => {
    const claim = claimOf(grant, { ttlMs: plan.ttlMs, renewsByItself, ...(atNs === undefined ? {} : { atNs }) });
    return Math.min(claim.endNs, grant.endNs);
  };
  return index.witness
    .filter(({ outcome }) => outcome === "fenced")
    .flatMap((entry): Broken[] => {
      const grants = byKey.get(entry.key ?? "") ?? [];
      const owner = grants.find(({ execution }) => execution.id === entry.execution);
      const write = owner?.execution.effects[0]?.invoke;
      if (!owner || !write || leaseEndNs(owner, write.atNs) <= write.atNs) return [];
      const usurper = grants.find(
        (grant) => grant.fence > owner.fence && leaseEndNs(grant) + grant.errorNs <= write.atNs - owner.errorNs,
      );
      if (!usurper) return [];
      return [
        {
          index,
          class: "owner refused",
          weight: 0,
          message: `The write of ${worker(owner.execution)} to ${owner.key} was refused inside its lease: a hold that was over had carried the higher token ${usurper.fence}${after(index, usurper, owner)}.`,
          evidence: () =>
            excerpt(
              [usurper.acquire.end, `granted with token ${usurper.fence}`],
              [usurper.endEvent, "the end of that hold"],
              [owner.acquire.end, `the owner is granted the key with the lower token ${owner.fence}`],
              [write, "it writes, inside its lease"],
              [entry, "and is refused"],
            ),
        },
      ];
    });
}

/** With enforcement off: what a resource that checked tokens would have been protected from. */
function lateWrites(index: RoundIndex, byKey: ReadonlyMap<string, Minted[]>): Broken[] {
  return index.witness
    .filter(({ outcome }) => outcome === "accepted" || outcome === "would-refuse")
    .flatMap((entry): Broken[] => {
      const grants = byKey.get(entry.key ?? "") ?? [];
      const writer = grants.find(({ execution }) => execution.id === entry.execution);
      const write = writer?.execution.effects.at(-1)?.invoke;
      const newer =
        write &&
        grants.find(
          ({ fence, startNs, errorNs }) => fence > writer.fence && startNs + errorNs < write.atNs - writer.errorNs,
        );
      if (!writer || !newer) return [];
      return [
        {
          index,
          class: "late write accepted",
          weight: 0,
          message: `The write of ${worker(writer.execution)} to ${writer.key} with token ${writer.fence} was accepted although token ${newer.fence} had been granted.`,
          evidence: () =>
            excerpt(
              [writer.acquire.end, `granted with token ${writer.fence}`],
              [newer.acquire.end, `another is granted the key with token ${newer.fence}`],
              [write, `the holder of token ${writer.fence} writes`],
              [entry, "and the write is accepted"],
            ),
        },
      ];
    });
}

const calledNs = ({ acquire, startNs }: Belief) => acquire.invoke?.atNs ?? startNs;

function after(index: RoundIndex, one: Belief, other: Belief): string {
  const [from, to] = [Math.min(calledNs(one), calledNs(other)), Math.max(one.startNs, other.startNs)];
  const assumption = assumptionBetween(index, from, to);
  return assumption ? `, after ${withArticle(assumption.name)}` : "";
}
