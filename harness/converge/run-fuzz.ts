import type { ConvergeCrdt } from "../results/converge-schema.ts";
import type { CrdtRef } from "./adapter/crdt-ref.ts";
import { Campaign, type CampaignReport } from "./campaign/campaign.ts";
import type { StartHand } from "./campaign/hand.ts";
import { type CampaignPlan, eventRange } from "./campaign/plan.ts";
import type { ResolvedConverge } from "./converge-options.ts";
import type { CrdtRun } from "./crdt-run.ts";
import { cutShortWarnings, describeFailures } from "./failures.ts";
import { REGION_IDS } from "./run/region.ts";
import { share } from "./shards/share.ts";
import type { AdapterFacts } from "./thread/messages.ts";

/** Runs one CRDT through random schedules until a limit is reached. */
export async function runFuzz(
  ref: CrdtRef,
  number: number,
  options: ResolvedConverge,
  startHand: StartHand,
): Promise<CrdtRun> {
  const { schedules, timeMs, index, shard, threads, journal, signal, onProgress } = options;
  const single = index === undefined ? undefined : { shard: { index, count: 1 }, schedules: 1, threads: 1 };
  const report = await new Campaign(ref, {
    plan: planOf(options),
    startHand,
    threads: Math.max(1, threads),
    shard,
    ...(schedules === undefined ? {} : { schedules: share(schedules, shard) }),
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(journal === undefined ? {} : { journal }),
    ...(signal === undefined ? {} : { signal }),
    ...single,
    onProgress: (progress) =>
      onProgress?.({
        crdt: ref.name,
        number,
        of: options.crdts.length,
        ...progress,
        ...(timeMs === undefined ? {} : { timeMs }),
        ...(schedules === undefined ? {} : { schedulesInAll: share(schedules, shard) }),
      }),
  }).run();
  const run = toRun(ref, options, report);
  if (schedules !== undefined && single === undefined) run.crdt.schedulesAsked = share(schedules, shard);
  return run;
}

export function planOf({ seed, regions, ops, all }: ResolvedConverge): CampaignPlan {
  return { seed, regions, ...eventRange(ops), all };
}

export function toRun(ref: CrdtRef, options: ResolvedConverge, report: CampaignReport): CrdtRun {
  const { coverage, found, broken, elapsedMs, speeds } = report;
  const { failures, files } = describeFailures(ref, options, report.failures);
  const failed = found.counts();
  if (broken.length > 0) failed.CRASH = (failed.CRASH ?? 0) + broken.length;
  return {
    crdt: {
      name: ref.name,
      regions: options.regions,
      regionIds: REGION_IDS.slice(0, options.regions),
      schedules: coverage.schedules,
      events: coverage.total,
      schedulesPerSecond: elapsedMs > 0 ? Math.round((coverage.schedules / elapsedMs) * 1_000) : 0,
      elapsedMs,
      histogram: coverage.histogram(),
      sometimes: coverage.sometimesCounts(report.facts.sometimes),
      failed,
      failures,
      speeds: [...speeds],
      ...priceOf(report.facts),
    },
    files,
    warnings: [...warningsOf(ref, report), ...cutShortWarnings(ref, failures)],
    interrupted: report.interrupted,
  };
}

export function priceOf({ writesWaitFor }: Pick<AdapterFacts, "writesWaitFor">): Pick<ConvergeCrdt, "writesWaitFor"> {
  return writesWaitFor === undefined ? {} : { writesWaitFor };
}

function warningsOf({ name }: CrdtRef, { broken, interrupted }: CampaignReport): string[] {
  if (broken.length === 0 || interrupted) return [];
  const what = `${broken.length} schedule${broken.length === 1 ? "" : "s"}`;
  return [`${name}: ${what} hung or ended their thread; what else such a schedule would have shown is unknown.`];
}
