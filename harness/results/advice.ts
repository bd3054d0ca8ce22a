import { duration } from "../checks/words.ts";
import type { Finding } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { gatedMetrics, roundsForComparison } from "../measure/comparison.ts";
import { lockWorthIt, ttlAdvice } from "../measure/lock-advice.ts";
import { sum } from "./arm-figures.ts";
import type { Advice } from "./lock-schema.ts";
import type { RoundFacts } from "./round-facts.ts";

/** What the measured times and findings advise, each with its reason. */
export function adviceOf(facts: readonly RoundFacts[], findings: readonly Finding[], plan: LockPlan): Advice {
  const controls = new Set(plan.arms.filter(({ role }) => role === "control").map(({ name }) => name));
  const ofLocks = facts.filter(({ arm }) => !controls.has(arm));
  const measured = ofLocks.some(({ holdsMs }) => holdsMs.length > 0) ? ofLocks : facts;
  const jobTimesMs = measured.flatMap(({ holdsMs }) => holdsMs);
  const ttl = ttlAdvice(jobTimesMs);
  const worth = worthOf(measured, jobTimesMs);
  const inLocks = findings.filter(({ arm }) => !controls.has(arm));
  const notes = [
    ...ttlNotes(ttl, plan),
    ...expiredHoldNotes(inLocks),
    ...assumptionNotes(inLocks),
    ...sequentialNotes(inLocks, plan),
    ...droppedNotes(ofLocks),
    ...worthNotes(worth),
  ];
  return { ...ttl, lockWorthIt: worth, notes, roundsForComparison: roundsNeeded(facts) };
}

type Note = Advice["notes"][number];

/** Of one arm: its arrivals are those of every arm. Each round has keys of its own, so the busiest of any counts. */
function worthOf(facts: readonly RoundFacts[], jobTimesMs: readonly number[]): Advice["lockWorthIt"] {
  const ofOneArm = facts.filter(({ arm }) => arm === facts[0]?.arm);
  const overMs = sum(ofOneArm, ({ loadNs }) => loadNs) / 1e6;
  const total = lockWorthIt({ jobTimesMs, jobsPerKey: ofOneArm.flatMap(({ jobsPerKey }) => jobsPerKey), overMs });
  const perKey = ofOneArm.map(
    ({ jobsPerKey, loadNs }) => lockWorthIt({ jobTimesMs, jobsPerKey, overMs: loadNs / 1e6 }).productPerKey,
  );
  const known = perKey.filter((product) => product !== null);
  return { ...total, productPerKey: known.length > 0 ? Math.max(...known) : null };
}

function ttlNotes({ jobTimeP999Ms, suggestedTtlMs }: ReturnType<typeof ttlAdvice>, { ttlMs }: LockPlan): Note[] {
  if (jobTimeP999Ms === null || suggestedTtlMs === null || ttlMs >= suggestedTtlMs) return [];
  const relation = ttlMs < jobTimeP999Ms ? "below" : "less than 1.5 times";
  return [
    {
      topic: "ttl",
      text:
        `The TTL of this run, ${duration(ttlMs * 1e6)}, is ${relation} the P99.9 of the job time, ${duration(jobTimeP999Ms * 1e6)}: ` +
        `take ${duration(suggestedTtlMs * 1e6)} or more, or renew the lock while the job runs.`,
    },
  ];
}

function expiredHoldNotes(findings: readonly Finding[]): Note[] {
  return findings
    .filter(({ check, class: kind }) => check === "exclusion" && kind === "expired hold")
    .map(({ arm, count }) => ({
      topic: "renewal",
      text:
        `In ${arm}, ${count === 1 ? "a hold" : `${count} holds`} outlived the promised time while another worker held the key. ` +
        "Renew the lock while the job runs (every third of the TTL, and stop working at the lost signal), " +
        "or let the resource refuse late writes by a fencing token; a pause of the whole process defeats renewal, not fencing.",
    }));
}

function assumptionNotes(findings: readonly Finding[]): Note[] {
  return findings
    .filter(({ check, class: kind }) => check === "exclusion" && kind === "broken assumption")
    .map(({ arm, message }) => ({
      topic: "fencing",
      text:
        `In ${arm} a fault took away what the lock rests on (${message}) No TTL and no renewal helps there: ` +
        "only a fencing token that the resource itself checks does, with a counter that outlives such a fault.",
    }));
}

function sequentialNotes(findings: readonly Finding[], plan: LockPlan): Note[] {
  return findings
    .filter(({ check, class: kind }) => check === "duplicates" && kind === "sequential")
    .map(({ arm, count }) => ({ topic: "ack", text: `${sequentialReason(arm, count, plan)}` }));
}

function sequentialReason(arm: string, count: number, plan: LockPlan): string {
  const seen = `In ${arm}, ${count === 1 ? "a job" : `${count} jobs`} ran again after their first execution was over.`;
  if (plan.ack === "after") {
    return (
      `${seen} The lock is released before the job is acknowledged (--ack after): a redelivery that waits for the lock gets it in that gap. ` +
      "Acknowledge before the release (--ack inside), and look after the grant whether the delivery is still the latest."
    );
  }
  const looks = plan.arms.find(({ name }) => name === arm)?.look ?? false;
  return looks
    ? `${seen} The acknowledgement comes before the release and the worker looks at its delivery, so the hold had ended before the acknowledgement: see exclusion, and the TTL.`
    : `${seen} A redelivery that waited for the lock runs the job when it gets it: look after the grant whether the delivery is still the latest, or keep a done mark.`;
}

/** A job that was skipped for good: nobody gives it back, whatever became of the one that held its key. */
function droppedNotes(ofLocks: readonly RoundFacts[]): Note[] {
  const dropped = sum(ofLocks, (facts) => facts.dropped);
  if (dropped === 0) return [];
  return [
    {
      topic: "skip",
      text:
        `${dropped === 1 ? "A job was" : `${dropped} jobs were`} skipped because the key was held, and acknowledged (--on-skip drop): the queue ` +
        "does not bring such a job again. That is right where the holder does the same work. Where it does other work, or may die, store what was skipped and retry it, or leave it pending (--on-skip leave).",
    },
  ];
}

function worthNotes({ product, worthIt, threshold, meanJobMs }: Advice["lockWorthIt"]): Note[] {
  if (worthIt !== false || product === null || meanJobMs === null) return [];
  return [
    {
      topic: "lock-worth-it",
      text:
        `By the product rule no lock is needed: ${meanJobMs.toFixed(1)} ms of critical code x the jobs per second is ${product.toPrecision(2)}, below ${threshold}. ` +
        "The rule speaks of chance collisions between jobs, not of redeliveries: a queue that delivers twice needs the lock, or an idempotent job, however low the product is.",
    },
  ];
}

function roundsNeeded(facts: readonly RoundFacts[]): number {
  const arms = [...new Set(facts.map(({ arm }) => arm))].map((arm) => {
    const rounds = facts.filter((each) => each.arm === arm);
    return {
      acquiresPerRound: Math.min(...rounds.map(({ acquires }) => acquires.length)),
      responsesPerRound: Math.min(...rounds.map(({ responsesNs }) => responsesNs.length)),
    };
  });
  return roundsForComparison(gatedMetrics(arms));
}
