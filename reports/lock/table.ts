import type { ArmResult, Latency, LockResult } from "../../harness/results/lock-schema.ts";
import { article } from "../article.ts";
import { formatChange, formatMs, formatNumber, formatShare, nothing } from "../format.ts";
import { type ArmTitle, armTitle, mainControl } from "./arms.ts";

export type Tone = "plain" | "good" | "bad" | "quiet";

export interface Cell {
  text: string;
  tone: Tone;
}

export interface MeasureRow {
  label: string;
  /** What the label means, for those who ask. */
  hint?: string;
  /** True: part of the row above. */
  part?: boolean;
  /** True: what the run is about. */
  key?: boolean;
  /** True: for those who look closer; a terminal leaves it out. */
  detail?: boolean;
  cells: Cell[];
  /** The article's figures: without its lock, with it, or one of them. */
  article: string;
}

export interface ComparisonTable {
  columns: ArmTitle[];
  rows: MeasureRow[];
}

interface Measure {
  label: string;
  hint?: string;
  part?: boolean;
  key?: boolean;
  detail?: boolean;
  article?: string;
  cell(arm: ArmResult): Cell;
  /** The row is left out when this holds for no arm. */
  shown?(arm: ArmResult): boolean;
}

/** The table without / with lock, the article's figures beside it: the same facts for terminal, HTML and Markdown. */
export function comparisonTable(result: LockResult): ComparisonTable {
  const control = mainControl(result);
  const rows = measures(control, result.faults.length > 0)
    .filter(({ shown }) => shown === undefined || result.arms.some(shown))
    .map(({ cell, shown: _, article: figures = "", ...rest }) => ({
      ...rest,
      cells: result.arms.map(cell),
      article: figures,
    }));
  return { columns: result.arms.map(armTitle), rows };
}

function measures(control: ArmResult | undefined, faulty: boolean): Measure[] {
  const hadJobs = (arm: ArmResult) => arm.jobs.offered > 0;
  return [
    { label: "Jobs offered", cell: ({ jobs }) => plain(formatNumber(jobs.offered)), shown: hadJobs },
    {
      label: "Executed twice or more",
      key: true,
      article: `${formatShare(article.without.duplicateRate)} → 0 in ${article.with.hours} h`,
      cell: ({ jobs, role }) =>
        jobs.duplicated === 0
          ? { text: "0", tone: "good" }
          : {
              text: `${formatNumber(jobs.duplicated)} (${formatShare(jobs.duplicateRate)})`,
              tone: role === "lock" && jobs.duplicated > jobs.inherentDuplicates ? "bad" : "plain",
            },
      shown: hadJobs,
    },
    {
      label: "at the same time",
      hint: "two executions of one job overlapped",
      part: true,
      cell: ({ jobs, role }) => count(jobs.concurrentDuplicates, role === "lock"),
      shown: ({ jobs }) => jobs.duplicated > 0,
    },
    {
      label: "one after the other",
      hint: "the second execution began when the first had ended",
      part: true,
      cell: ({ jobs, role }) =>
        count(jobs.sequentialDuplicates, role === "lock" && jobs.sequentialDuplicates > jobs.inherentDuplicates),
      shown: ({ jobs }) => jobs.duplicated > 0,
    },
    {
      label: "that any lock has",
      hint: "after a planned kill, or an acknowledgement nobody can know of",
      part: true,
      cell: ({ jobs }) => count(jobs.inherentDuplicates, false),
      shown: ({ jobs }) => jobs.inherentDuplicates > 0,
    },
    {
      label: "Most runs of one job",
      cell: ({ jobs }) => plain(formatNumber(jobs.maxExecutionsOfOneJob)),
      shown: ({ jobs }) => jobs.maxExecutionsOfOneJob > 1,
    },
    { label: "Lost", cell: ({ jobs }) => count(jobs.lost, true), shown: hadJobs },
    {
      label: "Dropped by policy",
      cell: ({ jobs }) => count(jobs.dropped, false),
      shown: ({ jobs }) => jobs.dropped > 0,
    },
    {
      label: "Refused by the lock",
      cell: ({ jobs, role }) => (role === "control" ? quiet() : plain(formatNumber(jobs.skipped))),
      shown: ({ jobs, role }) => role === "lock" && jobs.skipped > 0,
    },
    {
      label: "Refused by the look",
      hint: "the delivery was another worker's by then",
      cell: (arm) => plain(formatNumber(arm.refusedDeliveries)),
      shown: (arm) => arm.refusedDeliveries > 0,
    },
    {
      label: "Acquire P50",
      article: `~${article.with.acquireP50Ms} ms`,
      cell: (arm) => latency(arm, arm.acquire.p50Ms),
      shown: (arm) => arm.acquire.count > 0,
    },
    {
      label: "Acquire P99",
      article: `~${article.with.acquireP99Ms} ms`,
      cell: (arm) => latency(arm, arm.acquire.p99Ms),
      shown: (arm) => arm.acquire.count > 0,
    },
    ...(faulty ? outsideFaults : []),
    {
      label: "Response P99",
      hint: "planned arrival to acknowledgement",
      cell: (arm) => plain(formatMs(arm.response.p99Ms)),
      shown: (arm) => arm.response.count > 0,
    },
    {
      label: "Throughput, jobs/min",
      article: `${formatNumber(article.without.throughputPerMin)} → ${formatNumber(article.with.throughputPerMin)} (−1.7 %)`,
      cell: (arm) => throughput(arm, control),
      shown: hadJobs,
    },
    {
      label: "Acquire + release, cycles/s",
      cell: (arm) => plain(formatNumber(arm.cyclesPerSecond)),
      shown: (arm) => arm.cyclesPerSecond !== null,
    },
    ...contention,
    { label: "Crashed workers", cell: (arm) => count(arm.crashes, true), shown: (arm) => arm.crashes > 0 },
  ];
}

const outsideFaults: Measure[] = [
  {
    label: "P50 outside pauses",
    hint: "outside the windows of pauses and stops: to hold against the article's",
    part: true,
    article: `~${article.with.acquireP50Ms} ms`,
    cell: (arm) => latency(arm, arm.acquireOutsideFaults.p50Ms),
    shown: (arm) => arm.acquireOutsideFaults.count > 0,
  },
  {
    label: "P99 outside pauses",
    part: true,
    article: `~${article.with.acquireP99Ms} ms`,
    cell: (arm) => latency(arm, arm.acquireOutsideFaults.p99Ms),
    shown: (arm) => arm.acquireOutsideFaults.count > 0,
  },
];

/** What becomes of those who ask for a key that is held, and what a hold costs its servers. */
const contention: Measure[] = [
  {
    label: "Waited for the lock, P50 / max",
    hint: "jobs that were not granted at their first try, from its call to the grant",
    detail: true,
    cell: ({ contention: own }) => spread(own?.waits),
    shown: ({ contention: own }) => (own?.waits.count ?? 0) > 0,
  },
  {
    label: "Until the next grant, P50 / max",
    hint: "from the end of a hold, where somebody had asked for its key in vain",
    detail: true,
    cell: ({ contention: own }) => spread(own?.nextGrants),
    shown: ({ contention: own }) => (own?.nextGrants.count ?? 0) > 0,
  },
  {
    label: "Split votes",
    hint: "several asked for a free key at once, and none was granted it",
    detail: true,
    cell: ({ contention: own }) => (own === undefined ? quiet() : plain(formatNumber(own.splitVotes))),
    shown: ({ contention: own }) => (own?.splitVotes ?? 0) > 0,
  },
  {
    label: "Redis commands per hold, mean / most",
    hint: "on the node that got most of them",
    detail: true,
    cell: ({ contention: own }) => {
      const commands = own?.commandsPerHold ?? undefined;
      if (commands === undefined || commands.holds === 0) return quiet();
      return plain(`${formatNumber(commands.total / commands.holds, 1)} / ${formatNumber(commands.most)}`);
    },
    shown: ({ contention: own }) => (own?.commandsPerHold?.holds ?? 0) > 0,
  },
  {
    label: "Dead on arrival, unseen",
    hint: "grants whose lease was over when they returned, after a stop that no lock can see",
    detail: true,
    cell: ({ contention: own }) => (own === undefined ? quiet() : plain(formatNumber(own.unseenDeadGrants))),
    shown: ({ contention: own }) => (own?.unseenDeadGrants ?? 0) > 0,
  },
  {
    label: "Key without a holder, longest",
    hint: "it stood at a server though nobody believed to hold it; beyond the TTL that is a finding",
    detail: true,
    cell: ({ contention: own }) => (own === undefined ? quiet() : plain(formatMs(own.longestOrphanMs))),
    shown: ({ contention: own }) => (own?.longestOrphanMs ?? 0) > 0,
  },
];

function spread(latency: Latency | undefined): Cell {
  if (latency === undefined || latency.count === 0) return quiet();
  return plain(`${formatMs(latency.p50Ms)} / ${formatMs(latency.maxMs)}`);
}

function throughput(arm: ArmResult, control: ArmResult | undefined): Cell {
  const text = formatNumber(arm.throughputPerMin);
  if (arm.role !== "lock" || control === undefined || control.throughputPerMin <= 0) return plain(text);
  return plain(`${text} (${formatChange(arm.throughputPerMin / control.throughputPerMin - 1)})`);
}

function latency(arm: ArmResult, ms: number | null): Cell {
  return arm.role === "control" ? quiet() : plain(formatMs(ms));
}

function count(value: number, badIfAny: boolean): Cell {
  if (value === 0) return { text: "0", tone: badIfAny ? "good" : "plain" };
  return { text: formatNumber(value), tone: badIfAny ? "bad" : "plain" };
}

function plain(text: string): Cell {
  return { text, tone: text === nothing ? "quiet" : "plain" };
}

function quiet(): Cell {
  return { text: nothing, tone: "quiet" };
}
