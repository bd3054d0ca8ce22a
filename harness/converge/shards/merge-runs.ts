import type { ConvergeCrdt, ConvergeFailure } from "../../results/converge-schema.ts";
import type { Shard } from "../../results/shards.ts";
import { FAILURES_PER_ORACLE } from "../campaign/plan.ts";
import { judgeOutcome } from "../outcome.ts";
import type { ConvergeRun } from "../run-converge.ts";
import { share } from "./share.ts";

/** What one shard of a campaign found. */
export interface ShardRun {
  shard: Shard;
  run: ConvergeRun;
}

/** What decides how much a shard had to run. */
export interface MergedCampaign {
  /** In the order in which they ran. */
  names: readonly string[];
  /** Schedules of the whole campaign, of each data type. */
  schedules?: number | undefined;
  timeMs?: number | undefined;
  /** Parts are missing, since the run was broken off. */
  missing?: boolean;
}

/**
 * Joins what the shards of one campaign found, each given once and all given: schedules, events and coverage are summed,
 * failures stand in the order of their index, the first few of each oracle. However a campaign was split, the same
 * failures come out, byte for byte.
 */
export function mergeRuns(
  parts: readonly ShardRun[],
  { names, schedules, timeMs, missing = false }: MergedCampaign,
): ConvergeRun {
  const [first] = parts;
  if (!first) throw new Error("there are no shards to merge");
  const runs = names.flatMap((name) => {
    const pieces = parts.flatMap(({ shard, run }) => {
      const crdt = run.crdts.find((one) => one.name === name);
      return crdt ? [{ shard, crdt, run }] : [];
    });
    if (pieces.length === 0) return [];
    const interrupted =
      missing || pieces.length < parts.length || pieces.some((piece) => isCutShort(piece, { schedules, timeMs }));
    return [{ crdt: mergeCrdts(pieces.map(({ crdt }) => crdt)), files: {}, warnings: [], interrupted }];
  });
  const kept = new Set(runs.flatMap(({ crdt }) => crdt.failures.map(({ file }) => file)));
  const { mode, seed } = first.run;
  return {
    ...{ mode, seed },
    threads: sum(parts.map(({ run }) => run.threads)),
    ...judgeOutcome(runs, { mode, crdts: names.map((name) => ({ name, path: "" })) }),
    crdts: runs.map(({ crdt }) => crdt),
    warnings: [...new Set(parts.flatMap(({ run }) => run.warnings))],
    durationMs: Math.max(...parts.map(({ run }) => run.durationMs)),
    files: Object.fromEntries(parts.flatMap(({ run }) => Object.entries(run.files)).filter(([name]) => kept.has(name))),
  };
}

/** Ended by a signal, and not by its limit. */
function isCutShort(
  { shard, crdt, run }: { shard: Shard; crdt: ConvergeCrdt; run: ConvergeRun },
  { schedules, timeMs }: Pick<MergedCampaign, "schedules" | "timeMs">,
): boolean {
  if (run.status === "interrupted") return true;
  // A type that hung or crashed its thread ends before its limit, and is no less known for it.
  if (schedules === undefined || timeMs !== undefined || crdt.failed.CRASH !== undefined) return false;
  return crdt.schedules < share(schedules, shard);
}

function mergeCrdts(pieces: readonly ConvergeCrdt[]): ConvergeCrdt {
  const [first] = pieces as [ConvergeCrdt];
  const schedules = sum(pieces.map((piece) => piece.schedules));
  // Of all machines together: what one of them does in a second is their mean.
  const elapsedMs = sum(pieces.map((piece) => piece.elapsedMs));
  const failed = sumRecords(pieces.map((piece) => piece.failed));
  return {
    ...first,
    ...{ schedules, elapsedMs },
    ...(first.schedulesAsked === undefined
      ? {}
      : { schedulesAsked: sum(pieces.map((piece) => piece.schedulesAsked ?? piece.schedules)) }),
    events: sum(pieces.map((piece) => piece.events)),
    schedulesPerSecond: elapsedMs > 0 ? Math.round((schedules / elapsedMs) * 1_000) : 0,
    histogram: sumRecords(pieces.map((piece) => piece.histogram)),
    sometimes: sumRecords(pieces.map((piece) => piece.sometimes)),
    failed: Object.fromEntries(Object.entries(failed).sort(([a], [b]) => (a < b ? -1 : 1))),
    failures: firstOfEachOracle(pieces.flatMap((piece) => piece.failures)),
    speeds: pieces.flatMap((piece) => piece.speeds ?? []),
  };
}

function firstOfEachOracle(failures: readonly ConvergeFailure[]): ConvergeFailure[] {
  const seen = new Map<string, number>();
  return failures
    .toSorted((a, b) => a.index - b.index)
    .filter(({ oracle }) => {
      const count = (seen.get(oracle) ?? 0) + 1;
      seen.set(oracle, count);
      return count <= FAILURES_PER_ORACLE;
    });
}

function sumRecords(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const record of records) {
    for (const [name, count] of Object.entries(record)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
