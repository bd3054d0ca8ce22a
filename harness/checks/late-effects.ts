import type { Check, Evidence } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { lockRounds } from "./arms.ts";
import { type Belief, beliefsOf } from "./beliefs.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type Claim, claimOf } from "./claims.ts";
import { effectsByJob } from "./effects.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { serverKeys } from "./server-keys.ts";
import { standstillsOf } from "./standstills.ts";
import { carriedOutNs } from "./trace-times.ts";
import type { FaultWindow } from "./windows.ts";
import { duration, endsAfter, excerpt, promised, worker } from "./words.ts";

interface LateEffect {
  index: RoundIndex;
  class: "after a lost signal" | "after a long stop" | "after the promise";
  belief: Belief;
  effect: HistoryEvent;
  /** How late, ns. */
  byNs: number;
  /** The lost signal, the end of the stop, or what the promise was read from. */
  because: HistoryEvent;
  claim: Claim;
}

/** An effect happens only while the lock is surely held. */
export const lateEffects: Check = {
  name: "late effects",
  summary: "No effect comes after the promised time, after a lost signal, or after a stop longer than the TTL",
  classes: {
    "after a lost signal": "The lock had told its holder that it was lost, and the job went on to its effect",
    "after a long stop": "The worker had stood still for longer than the TTL between its grant and its effect",
    "after the promise": "The time that the lock had promised was over",
  },
  check(run) {
    const late = lockRounds(run).flatMap((armRound) => lateEffectsOf(indexRound(armRound), run.plan));
    return findingsOf(lateEffects.name, late.map(describe), "effect");
  },
};

function lateEffectsOf(index: RoundIndex, plan: LockPlan): LateEffect[] {
  const beliefs = new Map(beliefsOf(index).map((belief) => [belief.execution.id, belief]));
  const late: LateEffect[] = [];
  for (const effects of effectsByJob(index).values()) {
    for (const { execution } of effects) {
      const belief = beliefs.get(execution);
      for (const { invoke } of belief?.execution.effects ?? []) {
        const found = invoke && judge(index, belief!, invoke, plan);
        if (found) late.push(found);
      }
    }
  }
  return late;
}

function judge(index: RoundIndex, belief: Belief, effect: HistoryEvent, { ttlMs }: LockPlan): LateEffect | undefined {
  const { atNs } = effect;
  const { renewal, lease } = capabilitiesOf(index);
  const renewsByItself = renewal === "auto";
  const claim = claimOf(belief, { ttlMs, renewsByItself, atNs });
  const lost = belief.execution.lost.find((signal) => signal.atNs >= belief.startNs && signal.atNs < atNs);
  if (lost)
    return { index, belief, effect, claim, class: "after a lost signal", byNs: atNs - lost.atNs, because: lost };
  const stop = lease === "ttl" ? longStop(index, belief, atNs, ttlMs) : undefined;
  if (stop) {
    const because = stop.healed ?? stop.injected ?? belief.acquire.end;
    return {
      index,
      belief,
      effect,
      claim,
      class: "after a long stop",
      byNs: atNs - belief.startNs - ttlMs * 1e6,
      because,
    };
  }
  if (claim.endNs > atNs || (claim.basis === "ttl" && stillStands(index, belief, effect, ttlMs))) return undefined;
  return { index, belief, effect, claim, class: "after the promise", byNs: atNs - claim.endNs, because: claim.from };
}

/**
 * Was its key still there on a quorum, by what the trace shows? Where the library names no time, call + TTL is the least
 * that it stands for; a server that was slow to take the command keeps the key for longer.
 */
function stillStands(index: RoundIndex, { key, acquire }: Belief, { atNs }: HistoryEvent, ttlMs: number): boolean {
  const { holds, nodes } = serverKeys(index);
  const doneNs = carriedOutNs(index);
  const standing = holds.filter((hold) => {
    if (hold.token !== acquire.end.token || hold.key !== key || doneNs(hold.set) > atNs) return false;
    const from = [hold.set, ...hold.extensions].filter((event) => doneNs(event) <= atNs).at(-1)!;
    const ended = hold.end && hold.end.how !== "expired" && hold.end.event.atNs <= atNs;
    return !ended && atNs < from.atNs + (hold.ttlMs ?? ttlMs) * 1e6;
  });
  return standing.length > Math.max(capabilitiesOf(index).nodes, nodes.size) / 2;
}

/** A stop of this worker within its hold, longer than the TTL, before its effect. */
function longStop(index: RoundIndex, belief: Belief, atNs: number, ttlMs: number): FaultWindow | undefined {
  return standstillsOf(index, belief.execution.worker).find(
    (window) => Math.min(window.endNs, atNs) - Math.max(window.startNs, belief.startNs) - belief.errorNs > ttlMs * 1e6,
  );
}

function describe(late: LateEffect): Case {
  const { index, class: kind, belief, effect, byNs } = late;
  const past = {
    "after a lost signal": `${duration(byNs)} after it was told that the lock is lost`,
    "after a long stop": "after it had stood still for longer than the TTL",
    "after the promise": `${duration(byNs)} after the promised time was over`,
  }[kind];
  return {
    index,
    class: kind,
    weight: byNs,
    message: `${worker(effect)} had its effect of ${effect.job ?? belief.execution.id} ${past}.`,
    evidence: () => evidenceOf(late),
  };
}

function evidenceOf({ class: kind, belief, effect, because, claim }: LateEffect): Evidence[] {
  const notes = {
    "after a lost signal": "it is told that the lock is lost",
    "after a long stop": "its stop ends, longer than the TTL",
    "after the promise": endsAfter("the promise", claim.endNs - because.atNs),
  };
  const events = excerpt(
    [belief.acquire.end, `${worker(belief.execution)} is granted ${belief.key}`],
    [because, notes[kind]],
    [effect, "and yet it has its effect"],
  );
  return kind === "after the promise" ? promised(events, belief.acquire.end, claim.endNs) : events;
}
