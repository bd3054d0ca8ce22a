import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { UsageError } from "../errors.ts";
import type { ConvergeOptions, ResolvedConverge } from "./converge-options.ts";
import { MAX_REGIONS } from "./run/region.ts";
import { MAX_DEPTH } from "./thread/heartbeat.ts";

export const DEFAULTS = { regions: 3, ops: 60, timeMs: 10_000, stepDeadlineMs: 5_000, zooSchedules: 100_000 } as const;
const MAX_OPS = 1_000;
const MAX_THREADS = 256;

/**
 * Decides everything that was left open.
 * @throws UsageError that names the option and its bounds
 */
export function resolveOptions(options: ConvergeOptions): ResolvedConverge {
  const { crdts, shard = { index: 0, count: 1 }, schedules, index } = options;
  const zoo = options.zoo ?? false;
  const mode = zoo ? "zoo" : options.exhaustive === undefined ? "fuzz" : "exhaustive";
  const timed = schedules === undefined && index === undefined && mode === "fuzz";
  const resolved: ResolvedConverge = {
    crdts,
    mode,
    regions: options.regions ?? DEFAULTS.regions,
    ops: options.ops ?? DEFAULTS.ops,
    schedules: schedules ?? (mode === "zoo" ? DEFAULTS.zooSchedules : undefined),
    timeMs: options.timeMs ?? (timed ? DEFAULTS.timeMs : undefined),
    seed: options.seed ?? randomInt(2 ** 32),
    threads: options.threads ?? availableParallelism(),
    unguarded: options.unguarded ?? "caller",
    shard,
    all: options.oracles === "all",
    index,
    journal: options.journal,
    stepDeadlineMs: options.stepDeadlineMs ?? DEFAULTS.stepDeadlineMs,
    exhaustive: { symmetry: true, alphabet: "standard", ...options.exhaustive, depth: options.exhaustive?.depth ?? 4 },
    signal: options.signal,
    onProgress: options.onProgress,
  };
  if (crdts.length === 0) throw new UsageError("There is no CRDT to run: name at least one.");
  within("regions", resolved.regions, 2, MAX_REGIONS, "one replica alone has nobody to converge with");
  within("ops", resolved.ops, 1, MAX_OPS);
  within("seed", resolved.seed, 0, Number.MAX_SAFE_INTEGER);
  within("threads", resolved.threads, 0, MAX_THREADS);
  within("depth", resolved.exhaustive.depth, 1, MAX_DEPTH);
  if (schedules !== undefined) within("schedules", schedules, 1, Number.MAX_SAFE_INTEGER);
  if (index !== undefined) within("index", index, 0, Number.MAX_SAFE_INTEGER);
  if (options.timeMs !== undefined && !(options.timeMs > 0)) {
    throw new UsageError(`time is ${options.timeMs} ms: it must be greater than 0.`);
  }
  if (!(shard.count >= 1 && shard.index >= 0 && shard.index < shard.count)) {
    throw new UsageError(`shard is ${shard.index + 1}/${shard.count}: it goes from 1/n to n/n.`);
  }
  return resolved;
}

function within(name: string, value: number, least: number, most: number, why?: string): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const bounds =
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`;
  throw new UsageError(
    `${name} is ${value}: it must be ${bounds}${why !== undefined && value < least ? ` (${why})` : ""}.`,
  );
}
