import type { Check, Finding } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import { groupBy } from "./arms.ts";
import { effectsByJob } from "./effects.ts";
import { remember } from "./remember.ts";
import { type Execution, indexRound, type Operated, type RoundIndex } from "./round-index.ts";
import { count, excerpt, worker } from "./words.ts";

/** What became of the jobs of a round. */
export interface JobFates {
  /** Confirmed by the queue, or seen executed. */
  offered: ReadonlySet<string>;
  executed: ReadonlySet<string>;
  /** Acknowledged unexecuted, because the policy says so. */
  dropped: ReadonlySet<string>;
  /** Neither executed nor dropped, though the round came to its end. Empty for a round that was cut short. */
  lost: ReadonlySet<string>;
}

/** A write that overwrote another which its writer had not seen. */
export interface LostUpdate {
  index: RoundIndex;
  /** The write that was overwritten unseen, and the one that did it. */
  lost: HistoryEvent;
  by: HistoryEvent;
}

/** Every job is executed, and no write is overwritten unseen. Judged in every arm: a control may lose nothing either. */
export const lostWork: Check = {
  name: "lost work",
  summary: "Every job is executed or dropped by policy, and no update is overwritten unseen",
  classes: {
    "never executed": "The round ended with the job neither executed nor dropped by policy",
    "acknowledged unexecuted":
      "The job was acknowledged, so that it cannot come again, without ever having had its effect",
    "lost update": "A write replaced a value that its writer had not read",
  },
  check(run) {
    const findings: Finding[] = [];
    const indices = run.armRounds.map(indexRound);
    const controls = new Set(run.plan.arms.filter(({ role }) => role === "control").map(({ name }) => name));
    const lost = indices.flatMap((index) => {
      const stepsByJob = fatesOf(index).lost.size > 0 ? executionsByJob(index) : undefined;
      return [...fatesOf(index).lost].map((job) => describe(index, job, stepsByJob?.get(job) ?? []));
    });
    for (const group of groupBy(lost, ({ index, class: kind }) => `${index.armRound.arm}\n${kind}`).values()) {
      findings.push(lostJobs(group));
    }
    // Lost updates are what a control is expected to show.
    const updates = indices.filter(({ armRound }) => !controls.has(armRound.arm)).flatMap(lostUpdatesOf);
    for (const group of groupBy(updates, ({ index }) => index.armRound.arm).values()) findings.push(lostUpdates(group));
    return findings;
  },
};

export const fatesOf = remember((index: RoundIndex): JobFates => readFates(index));

function readFates(index: RoundIndex): JobFates {
  const executed = new Set(effectsByJob(index).keys());
  const confirmed = [...index.arrivals].filter(([, { end }]) => end?.phase === "ok").map(([job]) => job);
  const offered = new Set([...confirmed, ...executed]);
  const dropped = new Set<string>();
  for (const { job, skips } of index.executions.values()) {
    if (job === undefined || executed.has(job)) continue;
    if (skips.some(({ outcome }) => outcome === "dropped")) dropped.add(job);
  }
  for (const job of dropped) offered.add(job);
  const cameToItsEnd = index.milestones.has("drained") || index.milestones.has("gave-up");
  const open = cameToItsEnd ? [...offered].filter((job) => !executed.has(job) && !dropped.has(job)) : [];
  return { offered, executed, dropped, lost: new Set(open) };
}

/** Writes whose author had read an older version than the one that they replaced. */
export function lostUpdatesOf(index: RoundIndex): LostUpdate[] {
  const found: LostUpdate[] = [];
  const latest = new Map<string, HistoryEvent>();
  for (const entry of index.witness) {
    const { document, version, readVersion } = entry.detail ?? {};
    if (typeof document !== "string" || entry.outcome === "fenced") continue;
    const before = latest.get(document);
    const stale = typeof version === "number" && typeof readVersion === "number" && readVersion < version - 1;
    if (before && stale) found.push({ index, lost: before, by: entry });
    latest.set(document, entry);
  }
  return found;
}

interface LostJob {
  index: RoundIndex;
  job: string;
  class: "never executed" | "acknowledged unexecuted";
  steps: readonly Execution[];
}

function describe(index: RoundIndex, job: string, steps: readonly Execution[]): LostJob {
  const acknowledged = steps.some(({ acks }) => acks.some(({ end }) => end?.phase === "ok"));
  return { index, job, class: acknowledged ? "acknowledged unexecuted" : "never executed", steps };
}

function executionsByJob(index: RoundIndex): Map<string, Execution[]> {
  return groupBy(index.executions.values(), ({ job }) => job ?? "");
}

function lostJobs(lost: readonly LostJob[]): Finding {
  const { index, job, class: kind, steps } = lost[0]!;
  const arrival = index.arrivals.get(job);
  const last = steps.at(-1);
  const ack = steps.flatMap(({ acks }) => acks).find(({ end }) => end?.phase === "ok")?.end;
  const ended = index.milestones.get("drained") ?? index.milestones.get("gave-up");
  const deliveries = steps.length === 0 ? "it was never delivered" : `it was delivered ${count(steps.length, "time")}`;
  const more = lost.length > 1 ? ` ${count(lost.length, "job")} in all.` : "";
  const why =
    kind === "never executed"
      ? `Job ${job} was never executed: ${deliveries}${triedInVain(steps)}.`
      : `Job ${job} was acknowledged without ever having had its effect.`;
  return {
    check: lostWork.name,
    class: kind,
    arm: index.armRound.arm,
    count: lost.length,
    message: `${why}${more}`,
    evidence: excerpt(
      arrivalSeen(arrival, steps, job),
      [last?.deliver, last ? `its last delivery, to ${worker(last)}` : ""],
      [ack, "it is acknowledged, and cannot come again"],
      [kind === "never executed" ? last?.last : undefined, "the last that is known of it"],
      [ended, "the round ends without its effect"],
    ),
  };
}

/** A worker may get a job before its producer hears that the queue has it: its being added comes first then. */
function arrivalSeen(
  arrival: Operated | undefined,
  steps: readonly Execution[],
  job: string,
): [HistoryEvent | undefined, string] {
  const { invoke, end } = arrival ?? {};
  const before = end !== undefined && steps.every(({ deliver }) => deliver === undefined || deliver.atNs >= end.atNs);
  return before || !invoke ? [end ?? invoke, `the queue has ${job}`] : [invoke, `${job} goes into the queue`];
}

/** What kept its deliveries from their lock, where every acquire came back with an error. */
function triedInVain(steps: readonly Execution[]): string {
  const ends = steps.flatMap(({ acquires }) => acquires.flatMap(({ end }) => (end ? [end] : [])));
  if (ends.length === 0 || ends.some(({ error }) => error === undefined)) return "";
  return `, and no acquire succeeded (${ends.at(-1)?.error})`;
}

function lostUpdates(updates: readonly LostUpdate[]): Finding {
  const { index, lost, by } = updates[0]!;
  const reader = by.execution === undefined ? undefined : index.executions.get(by.execution);
  const writer = lost.execution === undefined ? undefined : index.executions.get(lost.execution);
  const { document, readVersion, version } = by.detail ?? {};
  const more = updates.length > 1 ? ` ${count(updates.length, "update")} in all.` : "";
  return {
    check: lostWork.name,
    class: "lost update",
    arm: index.armRound.arm,
    count: updates.length,
    message: `The write of ${lost.job} to ${document} is lost: ${by.job} had read version ${readVersion} and wrote version ${version} over it.${more}`,
    evidence: excerpt(
      [
        reader?.acquires.find(({ end }) => end?.phase === "ok")?.end,
        `the execution that overwrites begins on ${reader ? worker(reader) : "a worker"}`,
      ],
      [writer?.effects[0]?.invoke, "the write that is lost"],
      [reader?.effects[0]?.invoke, `the write over it, by one who had read version ${readVersion}`],
      [lost, "the witness takes the write that is lost"],
      [by, "the witness takes the write over it"],
    ),
  };
}
