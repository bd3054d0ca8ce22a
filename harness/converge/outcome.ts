import type { Status } from "../results/common-schema.ts";
import type { ResolvedConverge } from "./converge-options.ts";
import type { CrdtRun } from "./crdt-run.ts";

/** The verdict on a whole run, and why. */
export function judgeOutcome(
  runs: readonly CrdtRun[],
  { mode, crdts, shard }: Pick<ResolvedConverge, "mode" | "crdts"> & Partial<Pick<ResolvedConverge, "shard">>,
): { status: Status; statusReason: string } {
  const interrupted = runs.some((run) => run.interrupted) || runs.length < crdts.length;
  if (mode === "zoo") return judgeZoo(runs, interrupted);
  const failed = runs.filter(({ crdt }) => crdt.failures.length > 0);
  if (failed.length > 0) {
    const each = failed.map(({ crdt }) => `${crdt.name}: ${Object.keys(crdt.failed).join(", ")}`);
    const rest = interrupted ? " It was interrupted." : `${endedEarly(runs)}${fewerThanAsked(runs)}`;
    return { status: "failed", statusReason: `${each.join("; ")}.${rest}` };
  }
  if (interrupted) {
    const ran = sum(runs, ({ schedules }) => schedules);
    const reason = `Interrupted after ${ran} schedules, none of which failed.${endedEarly(runs)}${fewerThanAsked(runs)}`;
    return { status: "interrupted", statusReason: reason };
  }
  const idle = runs.filter(({ crdt }) => crdt.schedules === 0 || crdt.events === 0).map(({ crdt }) => crdt.name);
  if (idle.length > 0) {
    return { status: "unknown", statusReason: `Nothing ran of ${idle.join(", ")}: give it more time or schedules.` };
  }
  const early = endedEarly(runs);
  if (early !== "") return { status: "unknown", statusReason: `${early.trim()} Nothing failed until then.` };
  const part = shard === undefined || shard.count === 1 ? "" : ` This was part ${shard.index + 1} of ${shard.count}.`;
  return {
    status: "passed",
    statusReason: `No oracle objected, after any step or at the end.${part}${fewerThanAsked(runs)}`,
  };
}

/** Of searches that did not come to their end: how far they came. */
function endedEarly(runs: readonly Pick<CrdtRun, "crdt">[]): string {
  return runs
    .flatMap(({ crdt: { name, exhaustive } }) => {
      if (exhaustive === undefined || exhaustive.exhausted) return [];
      const { depth, schedules, estimatedSchedules: all } = exhaustive;
      const of = all === undefined ? "" : ` of about ${count(all)} (${percent(schedules / all)})`;
      return [
        ` The search of ${name} to depth ${depth} did not come to its end: ${count(schedules)} schedules${of} ran, and the others are not covered.`,
      ];
    })
    .join("");
}

/** Where less ran than was asked for, it is said. */
function fewerThanAsked(runs: readonly Pick<CrdtRun, "crdt">[]): string {
  return runs
    .flatMap(({ crdt: { name, schedules, schedulesAsked } }) =>
      schedulesAsked === undefined || schedules >= schedulesAsked
        ? []
        : [` Of the ${count(schedulesAsked)} schedules of ${name} that were asked for, ${count(schedules)} ran.`],
    )
    .join("");
}

const count = (number: number): string =>
  number < 1e9 ? Math.round(number).toLocaleString("en") : number.toExponential(1);

/** Never 100 % of what has not come to its end, and never 0 % of what has begun. */
function percent(share: number): string {
  if (share < 0.001) return "less than 0.1 %";
  return `${Math.min(99.9, share * 100).toFixed(1)} %`;
}

const sum = (runs: readonly Pick<CrdtRun, "crdt">[], of: (crdt: CrdtRun["crdt"]) => number): number =>
  runs.reduce((total, { crdt }) => total + of(crdt), 0);

function judgeZoo(runs: readonly CrdtRun[], interrupted: boolean): { status: Status; statusReason: string } {
  const alive = runs.filter(({ crdt }) => crdt.mutant?.killed !== true).map(({ crdt }) => crdt.name);
  const killed = `${runs.length - alive.length} of ${runs.length} mutants killed`;
  if (interrupted) return { status: "interrupted", statusReason: `Interrupted: ${killed}.` };
  if (alive.length === 0) return { status: "passed", statusReason: `${killed}.` };
  return { status: "failed", statusReason: `${killed}; still alive: ${alive.join(", ")}.` };
}
