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
    return { status: "failed", statusReason: `${each.join("; ")}.${interrupted ? " It was interrupted." : ""}` };
  }
  if (interrupted) {
    const schedules = runs.reduce((sum, { crdt }) => sum + crdt.schedules, 0);
    return { status: "interrupted", statusReason: `Interrupted after ${schedules} schedules, none of which failed.` };
  }
  const idle = runs.filter(({ crdt }) => crdt.schedules === 0 || crdt.events === 0).map(({ crdt }) => crdt.name);
  if (idle.length > 0) {
    return { status: "unknown", statusReason: `Nothing ran of ${idle.join(", ")}: give it more time or schedules.` };
  }
  const unfinished = runs.filter(({ crdt }) => crdt.exhaustive?.exhausted === false).map(({ crdt }) => crdt.name);
  if (unfinished.length > 0) {
    return { status: "unknown", statusReason: `The search of ${unfinished.join(", ")} did not come to its end.` };
  }
  const part = shard === undefined || shard.count === 1 ? "" : ` This was part ${shard.index + 1} of ${shard.count}.`;
  return { status: "passed", statusReason: `No oracle objected, after any step or at the end.${part}` };
}

function judgeZoo(runs: readonly CrdtRun[], interrupted: boolean): { status: Status; statusReason: string } {
  const alive = runs.filter(({ crdt }) => crdt.mutant?.killed !== true).map(({ crdt }) => crdt.name);
  const killed = `${runs.length - alive.length} of ${runs.length} mutants killed`;
  if (interrupted) return { status: "interrupted", statusReason: `Interrupted: ${killed}.` };
  if (alive.length === 0) return { status: "passed", statusReason: `${killed}.` };
  return { status: "failed", statusReason: `${killed}; still alive: ${alive.join(", ")}.` };
}
