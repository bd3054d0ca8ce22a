import type { HistoryEvent } from "../../../harness/contracts/history.ts";
import type { LockResult } from "../../../harness/results/lock-schema.ts";

/** One acquire, as its caller saw it. */
interface Acquire {
  worker: number;
  askedMs: number;
  tookMs: number;
  outcome: string;
  error?: string;
}

/** What a run shows of its fault in the lock's arm, against the time before it, in a sentence. */
export function whatWasSeen(result: LockResult, history: readonly HistoryEvent[]): string {
  const arm = result.arms.find(({ role }) => role === "lock")?.name ?? "";
  const events = history.filter((event) => event.arm === arm);
  const loadStartNs = events.find(({ op, outcome }) => op === "round" && outcome === "load-start")?.atNs ?? 0;
  const faults = result.faults.filter((fault) => fault.arm === arm);
  const errors = faults.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`]));
  if (errors.length > 0) return `**not as planned**: ${errors.join("; ")}`;
  const [last] = faults.filter(({ injectedAtMs }) => injectedAtMs !== null).slice(-1);
  const startMs = Math.min(...faults.flatMap(({ injectedAtMs }) => (injectedAtMs ? [injectedAtMs] : [])));
  const endMs = Math.max(startMs + 300, ...faults.flatMap(({ healedAtMs }) => healedAtMs ?? []));
  const acquires = acquiresOf(events, loadStartNs);
  const before = acquires.filter(({ askedMs, tookMs }) => askedMs + tookMs < startMs);
  const during = acquires.filter(({ askedMs, tookMs }) => askedMs + tookMs >= startMs && askedMs <= endMs);
  return [
    `injected at ${ms(startMs)}${last?.healedAtMs ? `, healed at ${ms(last.healedAtMs)}` : ""}`,
    latencies(before, during),
    ...silences(events, loadStartNs, startMs, endMs),
    ...outcomes(during),
    ...releases(events, loadStartNs + startMs * 1e6),
    ...processes(events),
    ...clocks(events),
    ...commandsSeen(events, loadStartNs, startMs),
    ...recovery(faults),
    ...findings(result, arm),
  ].join("; ");
}

function acquiresOf(events: readonly HistoryEvent[], loadStartNs: number): Acquire[] {
  const asked = new Map<string, number>();
  return events.flatMap(({ op, phase, worker, execution = "", atNs, outcome = phase, error }): Acquire[] => {
    if (op !== "acquire") return [];
    if (phase === "invoke") {
      asked.set(execution, atNs);
      return [];
    }
    const askedNs = asked.get(execution) ?? atNs;
    const answer = { worker, askedMs: (askedNs - loadStartNs) / 1e6, tookMs: (atNs - askedNs) / 1e6, outcome };
    return [error === undefined ? answer : { ...answer, error }];
  });
}

function latencies(before: readonly Acquire[], during: readonly Acquire[]): string {
  const usual = before.length > 0 ? `p50 ${ms(median(before))} before` : "none before";
  if (during.length === 0) return `acquire ${usual}, none in it`;
  const longest = during.reduce((most, each) => (each.tookMs > most.tookMs ? each : most));
  return `acquire ${usual}, ${ms(median(during))} in it, the longest ${ms(longest.tookMs)} (worker ${longest.worker})`;
}

/** How long each worker got no job, where that was much longer than for a job to come. */
function silences(events: readonly HistoryEvent[], loadStartNs: number, startMs: number, endMs: number): string[] {
  const workers = [...new Set(events.map(({ worker }) => worker))].filter((worker) => worker > 0).sort();
  return workers.flatMap((worker) => {
    const times = events
      .filter((event) => event.worker === worker && event.op === "deliver")
      .map(({ atNs }) => (atNs - loadStartNs) / 1e6);
    const longest = times.reduce((most, atMs, index) => {
      const sinceMs = times[index - 1] ?? 0;
      const isMeant = atMs >= startMs && sinceMs <= endMs;
      return isMeant && atMs - sinceMs > most ? atMs - sinceMs : most;
    }, 0);
    return longest > MANY_GAPS_MS ? [`worker ${worker} got no job for ${ms(longest)}`] : [];
  });
}

/** Several times what usually lies between two jobs of a worker. */
const MANY_GAPS_MS = 350;

function outcomes(during: readonly Acquire[]): string[] {
  return ["refused", "failed", "indeterminate"].flatMap((outcome) => {
    const such = during.filter((each) => each.outcome === outcome);
    if (such.length === 0) return [];
    const error = such.find((each) => each.error)?.error;
    return [`${such.length} ${outcome}${error ? ` (${cut(error)})` : ""}`];
  });
}

function releases(events: readonly HistoryEvent[], sinceNs: number): string[] {
  const bad = events.filter(
    ({ op, phase, atNs }) => op === "release" && (phase === "fail" || phase === "info") && atNs > sinceNs,
  );
  if (bad.length === 0) return [];
  return [`${bad.length} releases ${bad[0]?.outcome}${bad[0]?.error ? ` (${cut(bad[0].error)})` : ""}`];
}

function processes(events: readonly HistoryEvent[]): string[] {
  const killed = events.find(({ op, outcome }) => op === "worker" && outcome === "killed");
  if (!killed) return [];
  const next = events.find(
    ({ op, outcome, worker, incarnation = 1 }) =>
      op === "worker" && outcome === "ready" && worker === killed.worker && incarnation > 1,
  );
  const back = next ? `, its next incarnation ready ${ms((next.atNs - killed.atNs) / 1e6)} later` : "";
  return [`worker ${killed.worker} gone${back}`];
}

/** How far apart the workers' wall clocks were, if they were. */
function clocks(events: readonly HistoryEvent[]): string[] {
  const offsets = events.flatMap(({ wallMs, atNs }) => (wallMs === undefined ? [] : [wallMs - atNs / 1e6]));
  if (offsets.length === 0) return [];
  const spread = Math.max(...offsets) - Math.min(...offsets);
  return spread > 1_000 ? [`wall clocks of the workers ${ms(spread)} apart`] : [];
}

/** Commands that the server saw more often than they were asked for. */
function commandsSeen(events: readonly HistoryEvent[], loadStartNs: number, startMs: number): string[] {
  const sinceNs = loadStartNs + startMs * 1e6;
  const asked = events.filter(({ op, phase, atNs }) => op === "acquire" && phase === "invoke" && atNs > sinceNs).length;
  const sets = events.filter(
    ({ op, detail, atNs }) =>
      op === "trace" && detail?.node === 1 && detail.command === "SET" && detail.client !== "lua" && atNs > sinceNs,
  ).length;
  return sets > asked * 1.5 ? [`the server saw ${sets} SET for ${asked} acquires`] : [];
}

function recovery(faults: LockResult["faults"]): string[] {
  const times = faults.flatMap(({ grantsAgainAfterMs }) => grantsAgainAfterMs ?? []);
  return times.length > 0 ? [`grants again ${ms(Math.max(...times))} after it`] : [];
}

function findings(result: LockResult, arm: string): string[] {
  const found = result.findings.filter((finding) => finding.arm === arm);
  return found.map(({ check, class: kind, count }) => `**${check}** (${kind}, ${count} ×)`);
}

function median(acquires: readonly Acquire[]): number {
  const sorted = acquires.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const ms = (value: number): string =>
  value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const cut = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 70);
