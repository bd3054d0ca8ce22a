import type { Check } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { groupBy, lockRounds } from "./arms.ts";
import { type Belief, beliefsOf } from "./beliefs.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { type ServerHold, serverKeys } from "./server-keys.ts";
import { coveredNs, type Span } from "./spans.ts";
import { worstLatenessNs } from "./trace-times.ts";
import { faultWindows, nodesOf, stopsServer } from "./windows.ts";
import { duration, excerpt } from "./words.ts";

/** A key that nobody believes to hold is gone within its TTL. */
export const orphanLock: Check = {
  name: "orphan lock",
  needsTrace: true,
  summary: "A key that nobody believes to hold is gone from the servers within its TTL",
  classes: {
    "no TTL": "The key had no TTL: it would stay for ever",
    "kept alive": "The key outlived its TTL without a believer: something went on renewing it",
  },
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => casesIn(indexRound(armRound), run.plan));
    return findingsOf(orphanLock.name, cases, "key");
  },
};

/** Servers expire keys a little late, and the trace has its own delays, ns. */
const MARGIN_NS = 1e9;

function casesIn(index: RoundIndex, { ttlMs }: LockPlan): Case[] {
  const beliefs = groupBy(beliefsOf(index), ({ key }) => key);
  const lastOfNode = lastEvents(index);
  // What is seen of a key, by polls too, is received as late as its node's commands are.
  const marginNs = (node: number) => MARGIN_NS + worstLatenessNs(index)(node);
  return serverKeys(index).holds.flatMap((hold): Case[] => {
    const gap = longestWithoutBeliever(standingOf(hold, lastOfNode), beliefs.get(hold.key) ?? []);
    const stopped = faultWindows(index).filter((window) => stopsServer(window) && concerns(window, hold.node));
    const overNs = gap.endNs - gap.startNs - coveredNs(gap, stopped) - ttlMs * 1e6 - marginNs(hold.node);
    return overNs > 0 ? [describe(index, hold, gap)] : [];
  });
}

/** The longest time that a key stood at a server though nobody believed to hold it, ns. Until its TTL that is no finding. */
export function longestOrphanNs(index: RoundIndex): number {
  const beliefs = groupBy(beliefsOf(index), ({ key }) => key);
  const lastOfNode = lastEvents(index);
  return serverKeys(index).holds.reduce((longest, hold) => {
    const gap = longestWithoutBeliever(standingOf(hold, lastOfNode), beliefs.get(hold.key) ?? []);
    return Math.max(longest, gap.endNs - gap.startNs);
  }, 0);
}

function lastEvents(index: RoundIndex): ReadonlyMap<number, HistoryEvent> {
  const lastOfNode = new Map<number, HistoryEvent>();
  for (const event of index.trace) if (typeof event.detail?.node === "number") lastOfNode.set(event.detail.node, event);
  return lastOfNode;
}

function standingOf(hold: ServerHold, lastOfNode: ReadonlyMap<number, HistoryEvent>): Span {
  return { startNs: hold.set.atNs, endNs: stoodUntilNs(hold, lastOfNode.get(hold.node)) };
}

function concerns(window: { target: string }, node: number): boolean {
  const nodes = nodesOf(window);
  return nodes.length === 0 || nodes.includes(node);
}

/** As long as the trace shows it; without a TTL and without an end, as long as there is a trace. */
function stoodUntilNs({ end, ttlMs, lastSeen }: ServerHold, lastOfNode: HistoryEvent | undefined): number {
  if (end && end.how !== "expired" && end.how !== "server died") return end.event.atNs;
  return ttlMs === null && !end ? (lastOfNode ?? lastSeen).atNs : lastSeen.atNs;
}

function longestWithoutBeliever({ startNs, endNs }: Span, beliefs: readonly Belief[]): Span {
  let longest = { startNs, endNs: startNs };
  let reached = startNs;
  for (const belief of beliefs) {
    const until = Math.min(belief.startNs - belief.errorNs, endNs);
    if (until - reached > longest.endNs - longest.startNs) longest = { startNs: reached, endNs: until };
    reached = Math.max(reached, belief.endNs + belief.errorNs);
  }
  if (endNs - reached > longest.endNs - longest.startNs) longest = { startNs: reached, endNs };
  return longest;
}

function describe(index: RoundIndex, hold: ServerHold, gap: Span): Case {
  const endless = hold.ttlMs === null;
  return {
    index,
    class: endless ? "no TTL" : "kept alive",
    weight: gap.endNs - gap.startNs,
    message: `On node ${hold.node} the key of ${hold.key} stood for ${duration(gap.endNs - gap.startNs)} although nobody believed to hold it${endless ? ", and it has no TTL" : ""}.`,
    evidence: () =>
      excerpt(
        [hold.set, `the key is written${endless ? " without a TTL" : ""}`],
        [hold.extensions.at(-1), "its TTL is renewed for the last time"],
        [hold.lastSeen, "it is still there"],
        [hold.end?.event, hold.end ? `it is ${hold.end.how}` : ""],
      ),
  };
}
