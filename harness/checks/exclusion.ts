import type { Check, CheckedRun, Evidence, Finding } from "../contracts/check.ts";
import { greatest, groupBy, lockRounds } from "./arms.ts";
import { assumptionBetween, type BrokenAssumption } from "./assumptions.ts";
import { type Belief, beliefsOf, certainPart } from "./beliefs.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type Claim, claimOf } from "./claims.ts";
import { type Execution, indexRound, type RoundIndex } from "./round-index.ts";
import { standstillAt } from "./standstills.ts";
import { count, duration, endsAfter, excerpt, promised, withArticle, worker } from "./words.ts";

/** Two beliefs on one key at the same time. */
export interface Overlap {
  index: RoundIndex;
  earlier: Belief;
  later: Belief;
  startNs: number;
  endNs: number;
  class: "broken promise" | "expired hold" | "broken assumption";
  /** The claim that had ended, for an expired hold; otherwise the earlier one's. */
  claim: { of: Belief; claim: Claim };
  assumption?: BrokenAssumption;
}

/** At most one execution at a time believes that it holds a key. */
export const exclusion: Check = {
  name: "exclusion",
  summary: "At most one execution at a time believes that it holds a key",
  classes: {
    "broken promise": "Both were inside the time that the library had promised them: the library's fault",
    "expired hold": "One was past the time that it had been promised: it needs renewal, or fencing",
    "broken assumption": "A fault had taken away what the lock is built on: the clock, the keys, the server",
  },
  check(run) {
    const overlaps = lockRounds(run).flatMap((armRound) => overlapsOf(indexRound(armRound), run));
    const groups = groupBy(overlaps, (overlap) =>
      [overlap.index.armRound.arm, overlap.class, overlap.assumption?.name ?? ""].join("\n"),
    );
    return [...groups.values()].map(toFinding);
  },
};

/** Every pair of beliefs on one key that share more than a point in time. */
function overlapsOf(index: RoundIndex, run: CheckedRun): Overlap[] {
  const overlaps: Overlap[] = [];
  const renewing = capabilitiesOf(index).renewal === "auto";
  const active = new Map<string, Belief[]>();
  const certain = beliefsOf(index).map(certainPart);
  if (certain.some(({ errorNs }) => errorNs > 0)) certain.sort((a, b) => a.startNs - b.startNs);
  for (const later of certain) {
    const holders = (active.get(later.key) ?? []).filter(({ endNs }) => endNs > later.startNs);
    if (later.endNs > later.startNs) {
      for (const earlier of holders) overlaps.push(classify(index, earlier, later, run.plan.ttlMs, renewing));
      holders.push(later);
    }
    active.set(later.key, holders);
  }
  return overlaps;
}

function classify(index: RoundIndex, earlier: Belief, later: Belief, ttlMs: number, renewing: boolean): Overlap {
  const startNs = later.startNs;
  const claims = [earlier, later].map((of) => ({
    of,
    claim: claimOf(of, {
      ...{ ttlMs, renewsByItself: renewing, atNs: startNs },
      standstill: heldWhileStill(index, of, startNs),
    }),
  }));
  // The library is blamed only if neither promise can have been over.
  const expired = claims.find(({ of, claim }) => claim.endNs - of.errorNs <= startNs);
  const askedNs = Math.min(
    ...[earlier, later].map(({ acquire, startNs: granted, errorNs }) => (acquire.invoke?.atNs ?? granted) - errorNs),
  );
  const holders = expired ? [expired.of.execution.worker] : [earlier.execution.worker, later.execution.worker];
  const assumption = assumptionBetween(index, askedNs, startNs, holders);
  // Past its claim a hold is unsafe whatever befell the server. Only a step of its worker's clock can have hidden that from
  // it, and only where the library reckons its claim by that clock.
  const hidden = expired?.claim.basis === "validUntil" && assumption?.workers !== undefined;
  const named = assumption && (!expired || hidden);
  return {
    index,
    earlier,
    later,
    startNs,
    endNs: Math.min(earlier.endNs, later.endNs),
    class: named ? "broken assumption" : expired ? "expired hold" : "broken promise",
    claim: expired ?? claims[0]!,
    ...(named ? { assumption } : {}),
  };
}

/** The standstill of its worker that came within its hold and that it is in when the overlap begins. */
function heldWhileStill(index: RoundIndex, { execution, startNs }: Belief, atNs: number) {
  const { lease } = capabilitiesOf(index);
  const still = lease === "ttl" ? standstillAt(index, execution.worker, atNs) : undefined;
  return still && still.startNs >= startNs ? still : undefined;
}

function toFinding(overlaps: readonly Overlap[]): Finding {
  const longest = greatest(overlaps, ({ startNs, endNs }) => endNs - startNs);
  const { index, earlier, later } = longest;
  const [first, second] = [earlier.execution, later.execution];
  const others = overlaps.length > 1 ? ` ${count(overlaps.length, "overlap")} in all; this one is the longest.` : "";
  return {
    check: exclusion.name,
    class: longest.class,
    arm: index.armRound.arm,
    count: overlaps.length,
    message:
      `${holders(first, second)} both held ${earlier.key} for ` +
      `${duration(longest.endNs - longest.startNs)}: ${reason(longest)}.${others}`,
    evidence: evidenceOf(longest),
  };
}

function holders(first: Execution, second: Execution): string {
  const [one, other] = [worker(first), worker(second)];
  return one === other ? `Two executions of ${one}` : `${one} and ${other}`;
}

function reason({ class: kind, assumption, claim: { of, claim }, startNs }: Overlap): string {
  if (assumption) return `${withArticle(assumption.name)} had come in between`;
  if (kind === "broken promise") return "both inside the time that the lock had promised them";
  return `the promise to ${worker(of.execution)} had ended ${duration(startNs - claim.endNs)} before`;
}

function evidenceOf({ earlier, later, endNs, assumption, claim: { of, claim }, class: kind }: Overlap): Evidence[] {
  const ending = earlier.endNs === endNs ? earlier : later;
  const holder = of === earlier ? "the first" : "the second";
  const until = endsAfter(`the promise to ${holder}`, claim.endNs - claim.from.atNs);
  const boundary: readonly [Belief["acquire"]["end"], string][] =
    kind === "expired hold"
      ? [[claim.from, claim.endNs >= claim.from.atNs ? until : `${holder} was granted too late`]]
      : [];
  const events = excerpt(
    [earlier.acquire.invoke, `${worker(earlier.execution)} asks for ${earlier.key}`],
    [earlier.acquire.end, `${worker(earlier.execution)} is granted ${earlier.key}`],
    ...boundary,
    [assumption?.event, assumption?.name ?? ""],
    [later.acquire.end, `${worker(later.execution)} is granted ${later.key} too, while the first still holds it`],
    [ending.endEvent, `${worker(ending.execution)} ends its hold (${ending.endedBy}): only now is there one holder`],
  );
  return kind === "expired hold" ? promised(events, of.acquire.end, claim.endNs) : events;
}
