import type { ConvergeCrdt, ConvergeFailure, ConvergeResult } from "../../harness/results/converge-schema.ts";
import { visible } from "../escape.ts";
import { enumerate, formatDuration, formatNumber, plural } from "../format.ts";

export type CrdtVerdict = "held" | "broke" | "killed" | "survived";

/** What came of one data type; of one that is broken on purpose, whether that was seen. */
export function crdtVerdict({ failures, failed, mutant }: ConvergeCrdt): CrdtVerdict {
  if (mutant !== undefined) return mutant.killed ? "killed" : "survived";
  return failures.length > 0 || Object.keys(failed).length > 0 ? "broke" : "held";
}

/** The result in one line. */
export function convergeHeadline(result: ConvergeResult): string {
  if (result.status === "interrupted") return "Cut short: what was recorded until then is below.";
  const mutants = result.crdts.filter(({ mutant }) => mutant !== undefined);
  const others = result.crdts.filter(({ mutant }) => mutant === undefined);
  const sentences: string[] = [];
  if (mutants.length > 0) {
    const killed = mutants.filter((crdt) => crdtVerdict(crdt) === "killed");
    const survivors = mutants.filter((crdt) => crdtVerdict(crdt) === "survived").map(({ name }) => visible(name, 60));
    sentences.push(
      survivors.length === 0
        ? `All ${plural(mutants.length, "broken implementation")} were found out.`
        : `${formatNumber(killed.length)} of ${plural(mutants.length, "broken implementation")} were found out; ${enumerate(survivors.slice(0, 3))}${survivors.length > 3 ? ` and ${survivors.length - 3} more` : ""} got away.`,
    );
  }
  const broke = others.filter((crdt) => crdtVerdict(crdt) === "broke");
  for (const crdt of broke.slice(0, 2)) {
    sentences.push(`${visible(crdt.name, 60)} broke: ${oraclesOf(crdt, 3)}.`);
  }
  if (broke.length > 2) sentences.push(`${broke.length - 2} more broke.`);
  const held = others.filter((crdt) => crdtVerdict(crdt) === "held");
  if (held.length > 0) {
    const schedules = held.reduce((sum, crdt) => sum + crdt.schedules, 0);
    const who =
      held.length > 3 ? plural(held.length, "data type") : enumerate(held.map(({ name }) => visible(name, 60)));
    sentences.push(`${who} converged in all of ${plural(schedules, "schedule")}.`);
  }
  return sentences.join(" ") || "Nothing ran.";
}

/** "LOST-UPDATE (7,204 schedules), CAUSALITY (311)". */
export function oraclesOf({ failed, failures }: ConvergeCrdt, most = 20): string {
  const counts = Object.entries(failed).sort(([, a], [, b]) => b - a);
  const known = counts.length > 0 ? counts : failures.map(({ oracle }): [string, number] => [oracle, 1]);
  const shown = known.slice(0, most);
  const left = known.length - shown.length;
  const list = shown.map(
    ([oracle, count], index) =>
      `${visible(oracle, 40)} (${index === 0 ? plural(count, "schedule") : formatNumber(count)})`,
  );
  return [...list, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/** The counterexamples worth seeing first: of every data type the first of each oracle, then the others. */
export function counterexamplesOf(crdts: readonly ConvergeCrdt[]): { crdt: ConvergeCrdt; failure: ConvergeFailure }[] {
  const all = crdts.flatMap((crdt) => crdt.failures.map((failure) => ({ crdt, failure })));
  const seen = new Set<string>();
  const first = all.filter(({ crdt, failure }) => {
    const kind = `${crdt.name}\n${failure.oracle}`;
    return !seen.has(kind) && seen.add(kind);
  });
  return [...first, ...all.filter((one) => !first.includes(one))];
}

/** What ran, in one line. */
export function convergeSetting(result: ConvergeResult): string {
  const regions = [...new Set(result.crdts.map(({ regions }) => regions))].join(" or ");
  return `${visible(result.mode, 40)}, ${plural(result.crdts.length, "data type")}, ${regions || "no"} regions, ${whoRan(result)}, seed ${result.seed}, ${formatDuration(result.durationMs)} in all.`;
}

/** Threads of one process; agents or shards, which had threads of their own, where there were several. */
export function whoRan({ shards, threads }: Pick<ConvergeResult, "shards" | "threads">): string {
  if (shards === undefined) return plural(threads, "thread");
  const parts = plural(shards.length, "shard");
  const byAgents = shards.length > 0 && shards.every(({ attempts }) => attempts !== undefined);
  return byAgents ? `${parts} on ${plural(new Set(shards.map(({ id }) => id)).size, "agent")}` : `merged from ${parts}`;
}

/** How a counterexample came to its size. */
export function shrunkText({ eventsBefore, eventsAfter, shrinkingCutShort }: ConvergeFailure): string {
  const events = plural(eventsBefore, "event");
  if (shrinkingCutShort !== true) return `${events} shrunk to ${formatNumber(eventsAfter)}`;
  if (eventsAfter >= eventsBefore) return `${events}, not shrunk: there was no time left`;
  return `${events} shrunk to ${formatNumber(eventsAfter)}, where shrinking was cut short`;
}

/** A pass means something only with coverage: what never happened, in one sentence for data types with the same gaps. */
export function neverMet(result: ConvergeResult): string[] {
  const gaps = new Map<string, string[]>();
  for (const { name, sometimes, mutant } of result.crdts) {
    if (mutant !== undefined) continue;
    const missing = Object.entries(sometimes).filter(([, count]) => count === 0);
    if (missing.length === 0) continue;
    const what = enumerate(missing.map(([never]) => visible(never, 120)));
    gaps.set(what, [...(gaps.get(what) ?? []), visible(name, 60)]);
  }
  return [...gaps].map(
    ([what, names]) => `${enumerate(names)}: it never happened that ${what}. The result says nothing about that.`,
  );
}

/** What it costs to have no conflict, where a type has a price that no schedule shows: in memory nobody waits. */
export function priceSentences(result: ConvergeResult): string[] {
  return result.crdts.flatMap(({ name, writesWaitFor }) =>
    writesWaitFor === undefined
      ? []
      : [`${visible(name, 60)} has its price in latency. A write waits for ${visible(writesWaitFor, 300)}.`],
  );
}

/** What an exhaustive search covered, in one sentence each. */
export function exhaustiveSentences(result: ConvergeResult): string[] {
  return result.crdts.flatMap(({ name, exhaustive }) => {
    if (exhaustive === undefined) return [];
    const { depth, schedules, pruned, exhausted, estimatedSchedules, symmetry, notes } = exhaustive;
    const covered = `${visible(name, 60)}: ${exhausted ? "every" : "not every"} schedule of up to ${plural(depth, "event")} was run: ${formatNumber(schedules)}${estimatedSchedules === undefined ? "" : ` of about ${formatNumber(estimatedSchedules)}`}, with ${formatNumber(pruned)} more pruned as equal to one of them. ${exhausted ? "The space is exhausted." : "The space is not exhausted."}`;
    return [
      covered,
      ...(symmetry
        ? ["Renamed regions count as equal, which ignores the order of their ids; --no-symmetry turns that off."]
        : []),
      ...notes.map((note) => visible(note, 300)),
    ];
  });
}
