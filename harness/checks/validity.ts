import type { Check } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { groupBy, lockRounds } from "./arms.ts";
import { assumptionBetween } from "./assumptions.ts";
import { type Belief, beliefsOf } from "./beliefs.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { type ServerHold, serverKeys } from "./server-keys.ts";
import { shortLeases } from "./short-leases.ts";
import { standstillsOf } from "./standstills.ts";
import { carriedOutNs } from "./trace-times.ts";
import { type FaultWindow, faultWindows, nodesOf } from "./windows.ts";
import { duration, excerpt, worker } from "./words.ts";

/** A grant that was dead when it returned: on how many nodes, and by how much. */
export interface DeadGrant {
  belief: Belief;
  /** Nodes on which its key had been set and was past its TTL, with how long, ns. */
  dead: readonly { hold: ServerHold; from: HistoryEvent; byNs: number }[];
  /** A stop or block of the worker that began after its last reply had been passed on: no lock can see that. */
  excusedBy?: FaultWindow;
}

/** A grant is still alive at the servers when acquire returns it. */
export const validity: Check = {
  name: "validity",
  needsTrace: true,
  summary: "A grant is still alive at a quorum of the servers when acquire returns it",
  classes: {
    "dead grant": "The lease was over at the servers when acquire returned, and the lock could have seen it",
    "short lease": "The servers were given less time than the lock had been asked for, and its holder was not told",
  },
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => {
      const index = indexRound(armRound);
      const dead = deadGrants(index, run.plan).filter(({ excusedBy }) => !excusedBy);
      return [...dead.map((grant) => describe(index, grant)), ...shortLeases(index, run.plan)];
    });
    return findingsOf(validity.name, cases, "grant");
  },
};

/** Every grant that was dead when it returned, the excused ones too: those are a figure. */
export function deadGrants(index: RoundIndex, { ttlMs }: LockPlan): DeadGrant[] {
  const { holds, nodes, gaps } = serverKeys(index);
  if (nodes.size === 0) return [];
  const known = capabilitiesOf(index).nodes;
  const total = Math.max(known, nodes.size);
  const spare = total - (Math.floor(total / 2) + 1);
  const byToken = groupBy(holds, ({ token }) => token);
  return beliefsOf(index).flatMap((belief): DeadGrant[] => {
    const own = byToken.get(belief.acquire.end.token ?? "")?.filter(({ key }) => key === belief.key) ?? [];
    // Without any SET in the trace nothing is known: a trace that began late, or a lock that keeps no such key.
    if (own.length === 0) return [];
    const calledNs = belief.acquire.invoke?.atNs ?? 0;
    if (gaps.some(({ startNs, endNs }) => startNs <= belief.startNs && endNs >= calledNs)) return [];
    const dead = own.flatMap((hold) => deadOn(index, hold, belief, ttlMs));
    // A node whose trace shows no SET never had the key.
    const unset = [...nodes].filter((node) => !own.some((hold) => hold.node === node)).length;
    if (dead.length === 0 || dead.length + unset <= spare) return [];
    const excusedBy = unseenStop(index, belief, own);
    return [{ belief, dead, ...(excusedBy ? { excusedBy } : {}) }];
  });
}

function deadOn(index: RoundIndex, hold: ServerHold, { startNs, errorNs }: Belief, ttlMs: number): DeadGrant["dead"] {
  // What was received late may have been carried out in time: the last that can have counts, from its receipt.
  const atNs = carriedOutNs(index);
  const from = [hold.set, ...hold.extensions].filter((event) => atNs(event) <= startNs + errorNs).at(-1);
  if (!from) return [];
  const byNs = startNs - errorNs - (from.atNs + (hold.ttlMs ?? ttlMs) * 1e6);
  if (byNs <= 0) return [];
  const clock = assumptionBetween(index, from.atNs, startNs);
  const moved = clock?.name === "server clock step" && concerns(clock.event, hold.node);
  return moved ? [] : [{ hold, from, byNs }];
}

function concerns({ detail }: HistoryEvent, node: number): boolean {
  const nodes = nodesOf({ target: String(detail?.target ?? "") });
  return nodes.length === 0 || nodes.includes(node);
}

/** Faults that keep replies from being passed on. */
const HOLDING = new Set(["partition", "black-hole", "delay-reply", "lose-reply", "pause-between", "bandwidth"]);
/** A latency of at least this base keeps replies back long enough to matter, ms. */
const LONG_LATENCY_MS = 50;

function unseenStop(index: RoundIndex, belief: Belief, holds: readonly ServerHold[]): FaultWindow | undefined {
  const repliedNs = lastReplyNs(index, belief) ?? Math.max(...holds.map(({ set }) => set.atNs));
  const windows = faultWindows(index);
  return standstillsOf(index, belief.execution.worker).find(
    (stop) =>
      stop.startNs >= repliedNs &&
      stop.startNs <= belief.startNs &&
      !windows.some((held) => holdsReplies(held) && held.startNs <= stop.startNs && held.endNs > stop.startNs),
  );
}

function holdsReplies({ name, params }: FaultWindow): boolean {
  if (name === "latency" || name === "jitter") return Number(params.base ?? 0) >= LONG_LATENCY_MS;
  return HOLDING.has(name);
}

/** When the last reply to this acquire was passed on, where the proxy says so. */
function lastReplyNs(index: RoundIndex, { key, execution, acquire, startNs }: Belief): number | undefined {
  const calledNs = acquire.invoke?.atNs ?? 0;
  return index.trace.findLast(
    (event) =>
      event.detail?.kind === "reply" &&
      event.key === key &&
      event.detail.worker === execution.worker &&
      event.atNs >= calledNs &&
      event.atNs <= startNs,
  )?.atNs;
}

function describe(index: RoundIndex, { belief, dead }: DeadGrant): Case {
  const least = Math.min(...dead.map(({ byNs }) => byNs));
  const nodes = dead.length === 1 ? `node ${dead[0]!.hold.node}` : `${dead.length} nodes`;
  return {
    index,
    class: "dead grant",
    weight: least,
    message: `${worker(belief.execution)} was granted ${belief.key} when its lease on ${nodes} had been over for ${duration(least)} or more.`,
    evidence: () =>
      excerpt(
        [belief.acquire.invoke, `${worker(belief.execution)} asks for ${belief.key}`],
        ...dead.map(({ hold, from }) => [from, `the lease on node ${hold.node} counts from here`] as const),
        [belief.acquire.end, "the grant returns, later than that + TTL"],
      ),
  };
}
