import type { Bounds, LockResult } from "../../harness/results/lock-schema.ts";
import { article } from "../article.ts";
import { visible } from "../escape.ts";
import { enumerate, formatChange, formatDuration, formatMs, formatNumber, formatShare, plural } from "../format.ts";
import { isLiteral, lockArms, mainControl } from "./arms.ts";

/** The result in one line: what was found, for whom, against what. */
export function headline(result: LockResult): string {
  const control = mainControl(result);
  const locks = lockArms(result);
  const names = enumerate(locks.map(({ name }) => visible(name, 60)));
  if (result.status === "interrupted") return "Cut short: what was recorded until then is below.";
  if (result.status === "failed") return failure(result);
  if (result.status === "unknown") {
    const { power, doubts = [] } = result;
    return power !== null && !power.enough && doubts.length === 0
      ? "No verdict: this run had too little power to see a lock break."
      : "No verdict.";
  }
  if (control === undefined || result.power === null || control.jobs.offered === 0) {
    return `The cost of ${names || "the lock"} was measured.`;
  }
  const rate = `${formatNumber(control.jobs.duplicated)} of ${formatNumber(control.jobs.offered)} jobs (${formatShare(control.jobs.duplicateRate)})`;
  if (isIncident(result)) {
    return `${names} held: no job ran twice. Without the lock, one job ran ${formatNumber(control.jobs.maxExecutionsOfOneJob)} times, and ${rate} more than once.`;
  }
  return `${names} held: no job ran twice. Without the lock, ${rate} did.`;
}

/** The story that opens the article, by `--preset incident`: it asks how often one and the same job ran. */
export function isIncident({ config }: LockResult): boolean {
  return config.preset === "incident";
}

function failure(result: LockResult): string {
  const failures = result.findings.filter(({ inherent }) => inherent !== true);
  const arms = [...new Set(failures.map(({ arm }) => arm))].map((arm) => {
    const own = failures.filter((finding) => finding.arm === arm);
    const kinds = own.map((finding) => `${finding.check}: ${finding.class} (${formatNumber(finding.count)} ×)`);
    const more = kinds.length > 3 ? [`${kinds.length - 3} more`] : [];
    return `${visible(arm, 60)} broke: ${enumerate([...kinds.slice(0, 3).map((kind) => visible(kind)), ...more])}.`;
  });
  return arms.join(" ") || "Failed.";
}

/** What the look at the delivery removed and what the lock removed, in jobs. */
export function removedSentences(result: LockResult): string[] {
  const control = mainControl(result);
  const literal = result.arms.find(isLiteral);
  const sentences: string[] = [];
  if (result.removed.byLook !== null && literal !== undefined && control !== undefined && control !== literal) {
    sentences.push(
      `The look at the delivery ${changed(result.removed.byLook)} (${formatNumber(literal.jobs.duplicated)} → ${formatNumber(control.jobs.duplicated)}).`,
    );
  }
  for (const { arm, jobs } of result.removed.byLock) {
    const lock = result.arms.find(({ name }) => name === arm);
    if (lock === undefined || control === undefined) continue;
    sentences.push(
      `The lock ${visible(arm, 60)} ${changed(jobs)} (${formatNumber(control.jobs.duplicated)} → ${formatNumber(lock.jobs.duplicated)}).`,
    );
  }
  return sentences;
}

function changed(jobs: number): string {
  if (jobs === 0) return "removed no duplicates";
  return jobs > 0 ? `removed ${plural(jobs, "duplicate")}` : `added ${plural(-jobs, "duplicate")}`;
}

/** How far "none seen" reaches. The fault windows are the units that may be called independent. */
export function boundsSentences(result: LockResult): string[] {
  const locks = new Set(lockArms(result).map(({ name }) => name));
  return result.bounds.filter(({ arm }) => locks.has(arm)).map(boundsSentence);
}

function boundsSentence({ arm, faultWindows, jobs, jobsInFlightDuringFaults }: Bounds): string {
  const name = visible(arm, 60);
  if (faultWindows.n === 0) {
    const seen =
      jobs.duplicated === 0
        ? `none of ${plural(jobs.n, "job")} ran twice`
        : `${formatNumber(jobs.duplicated)} of ${plural(jobs.n, "job")} ran twice`;
    return `${name}: ${seen}.`;
  }
  if (faultWindows.withDuplicates > 0) {
    return `${name}: duplicates in ${formatNumber(faultWindows.withDuplicates)} of ${plural(faultWindows.n, "fault window")}, ${formatNumber(jobsInFlightDuringFaults.duplicated)} of ${plural(jobsInFlightDuringFaults.n, "job")} in flight during one.`;
  }
  return (
    `${name}: none of ${plural(faultWindows.n, "fault window")} showed a duplicate, which leaves room for up to ${formatShare(faultWindows.upper95)} of such windows (one-sided 95 %). ` +
    `Jobs in flight during one: 0 of ${formatNumber(jobsInFlightDuringFaults.n)}, up to ${formatShare(jobsInFlightDuringFaults.upper95)}; all jobs: 0 of ${formatNumber(jobs.n)}, up to ${formatShare(jobs.upper95)}, if jobs were independent, which jobs hit by one pause are not.`
  );
}

/** The advice on TTL and on whether a lock is worth it, from what was measured. */
export function adviceSentences({
  advice,
  arms,
  faults,
}: Pick<LockResult, "advice" | "arms" | "faults">): { topic: string; text: string }[] {
  const sentences: { topic: string; text: string }[] = [];
  if (advice.suggestedTtlMs !== null && !advice.notes.some(({ topic }) => topic === "ttl")) {
    sentences.push({
      topic: "TTL",
      text: `The P99.9 of the job time was ${formatMs(advice.jobTimeP999Ms)}: take a TTL of at least ${formatMs(advice.suggestedTtlMs)} (1.5 ×), or renew the lock.`,
    });
  }
  const { product, productPerKey, threshold, worthIt } = advice.lockWorthIt;
  if (product !== null) {
    const perKey = productPerKey === null ? "" : `, ${formatNumber(productPerKey, 4)} per key`;
    sentences.push({
      topic: "Worth a lock",
      text: `Seconds per job × jobs per second = ${formatNumber(product, 3)} in total${perKey}; the rule of thumb says ${worthIt === false ? "a lock is not worth it" : "a lock is worth it"} (threshold ${threshold}). It speaks of chance collisions, not of redeliveries.`,
    });
  }
  return [
    ...sentences,
    ...recoverySentences({ arms, faults }),
    ...advice.notes.map(({ topic, text }) => ({ topic: topicName(visible(topic, 60)), text: visible(text, 600) })),
  ];
}

function topicName(topic: string): string {
  return topic === "ttl" ? "TTL" : topic.charAt(0).toUpperCase() + topic.slice(1);
}

/** What the article is, whose figures stand beside the measured ones. */
export const articleSentence = `The article: the text on Redis locks in production whose experiment this run repeats (${article.setting}).`;

/** How far its own "none in 72 hours" reaches. */
const articleReach = `Its 72 hours are ${formatNumber(article.with.jobs)} jobs: none seen bounds the rate at ${article.upper95.toExponential(1)}, if jobs were independent.`;

/** What the lock cost, in one line: the first thing to know after whether it held. */
export function costSentences(result: LockResult): string[] {
  const control = mainControl(result);
  return lockArms(result)
    .filter(({ acquire }) => acquire.count > 0)
    .map((arm) => {
      const calm = arm.acquireOutsideFaults.count > 0 ? arm.acquireOutsideFaults : arm.acquire;
      const where = result.faults.length > 0 && calm !== arm.acquire ? " outside pauses" : "";
      const throughput =
        control !== undefined && control.throughputPerMin > 0
          ? `, throughput ${formatChange(arm.throughputPerMin / control.throughputPerMin - 1)}`
          : "";
      return `${visible(arm.name, 60)} costs ${formatMs(calm.p50Ms)} (P50) to ${formatMs(calm.p99Ms)} (P99) to acquire${where}${throughput}.`;
    });
}

/** Load generator and comparison: what a reader must know before quoting a figure. */
export function footnotes(result: LockResult): string[] {
  const notes = [`${articleSentence} ${articleReach} ${article.remark.replace("The article also", "It also")}`];
  const late = lockArms(result).filter(({ starts }) => starts.dropped > starts.droppedInFaults);
  for (const arm of late) {
    notes.push(
      `${visible(arm.name, 60)}: ${plural(arm.starts.dropped - arm.starts.droppedInFaults, "job")} could not be offered in time outside the faults: this machine was too slow for the load.`,
    );
  }
  notes.push(...harmSentences(result), ...changedDefaultSentences(result), ...comparisonSentences(result));
  return notes;
}

/** How many rounds a comparison of this result takes. */
export function comparisonSentences({
  plan: { rounds },
  advice: { roundsForComparison: needed },
}: LockResult): string[] {
  if (needed === 0) return [];
  return rounds >= needed
    ? [`With ${plural(rounds, "round")} this result can be compared with another (it takes ${needed}).`]
    : [`To compare this result with another takes ${plural(needed, "round")}; this one has ${rounds}.`];
}

/** What helps against what was found: the notes of the advice that come from findings or from a TTL that is too short. */
export function remedySentences({ status, advice }: LockResult): string[] {
  if (status !== "failed") return [];
  return advice.notes.filter(({ topic }) => remedies.has(topic)).map(({ text }) => visible(text, 600));
}

const remedies: ReadonlySet<string> = new Set(["ttl", "renewal", "fencing", "ack"]);

/** An idempotent job may run twice: its duplicates are counted, and its rows show whether any harm was done. */
function harmSentences({ arms }: LockResult): string[] {
  const counted = arms.filter(({ jobs }) => jobs.harmedRows !== undefined);
  if (counted.length === 0) return [];
  const duplicated = counted.reduce((total, { jobs }) => total + jobs.duplicated, 0);
  const harmed = counted.reduce((total, { jobs }) => total + (jobs.harmedRows ?? 0), 0);
  const state =
    harmed === 0
      ? "every row is as one execution leaves it, unharmed: such a job needs no lock"
      : `${plural(harmed, "row")} did not end as one execution leaves them`;
  return [`The job is idempotent: ${plural(duplicated, "job")} ran twice or more in all arms together, and ${state}.`];
}

function changedDefaultSentences(result: LockResult): string[] {
  return lockArms(result).flatMap(({ name, changedDefaults = [] }) => {
    if (changedDefaults.length === 0) return [];
    const changes = changedDefaults.map(({ option, libraryDefault, used, why }) => {
      const instead = libraryDefault === null ? "which has no default" : `instead of ${String(libraryDefault)}`;
      return visible(`${option} ${String(used)}, ${instead} (${why})`, 200);
    });
    return [`${visible(name, 60)} is not run with all defaults of its library: ${changes.join("; ")}.`];
  });
}

/** How long the locks were without a server after faults that took one away, and until others granted again. */
function recoverySentences({ arms, faults }: Pick<LockResult, "arms" | "faults">): { topic: string; text: string }[] {
  const locks = new Set(arms.filter(({ role }) => role === "lock").map(({ name: arm }) => arm));
  const groups = new Map<string, LockResult["faults"]>();
  for (const record of faults) {
    if (!locks.has(record.arm) || record.grantsAgainAfterMs === undefined) continue;
    const group = `${record.arm}\n${record.name}`;
    groups.set(group, [...(groups.get(group) ?? []), record]);
  }
  return [...groups.values()].map((records) => {
    const [{ arm, name: fault } = { arm: "", name: "" }] = records;
    const times = records.flatMap(({ grantsAgainAfterMs }) => grantsAgainAfterMs ?? []).sort((a, b) => a - b);
    const never = records.length - times.length;
    const range =
      times.length > 1 && times[0] !== times.at(-1)
        ? `${formatDuration(times[0] ?? null)} to ${formatDuration(times.at(-1) ?? null)}`
        : formatDuration(times[0] ?? null);
    const again = times.length === 0 ? "" : `grants flowed again ${range} after it (${plural(times.length, "time")})`;
    const lost = never === 0 ? "" : `${again === "" ? "" : "; "}${plural(never, "time")} no grant came any more`;
    return { topic: "Recovery", text: `After ${visible(fault, 60)}, ${visible(arm, 60)}: ${again}${lost}.` };
  });
}
