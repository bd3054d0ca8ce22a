import type { HistoryEvent, TraceDetail } from "../contracts/history.ts";
import { groupBy } from "./arms.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";
import { faultWindows, nodesOf } from "./windows.ts";

/** A receipt that seems later than this may as well have come after a step of the server's clock, ns. */
export const MOST_LATE_NS = 5e9;

/**
 * When the commands of the trace were carried out, ns: the receipt less what it came late. Never before the truth by more
 * than the delay of the promptest receipt, unless a clock stepped; never after the receipt.
 */
export const carriedOutNs = remember((index: RoundIndex): ((event: HistoryEvent) => number) => {
  const lateness = traceLateness(index);
  return (event) => event.atNs - (lateness.get(event) ?? 0);
});

/**
 * Is it known when a command was carried out? Not while the clock of its server runs fast or slow, and not where it seems
 * to have been received so late that the clock may have stepped instead: such a command accuses nobody by its time.
 */
export const isTimeKnown = remember((index: RoundIndex): ((event: HistoryEvent) => boolean) => {
  const lateness = traceLateness(index);
  return (event) => (lateness.get(event) ?? Number.POSITIVE_INFINITY) <= MOST_LATE_NS;
});

/** The latest that anything of a node's trace was received after it had happened, ns. */
export const worstLatenessNs = remember((index: RoundIndex): ((node: number) => number) => {
  const worst = new Map<number, number>();
  for (const [{ detail }, lateNs] of traceLateness(index)) {
    const node = Number(detail?.node);
    worst.set(node, Math.max(worst.get(node) ?? 0, lateNs));
  }
  return (node) => worst.get(node) ?? 0;
});

/**
 * How late each command of the trace was received, ns. The server's own time tells it, measured against the promptest
 * receipt from that node under the same clock: where a fault steps the clock of a server, its commands are told apart by
 * the step. Of commands under a clock that runs fast or slow it says nothing.
 */
export const traceLateness = remember((index: RoundIndex): ReadonlyMap<HistoryEvent, number> => {
  const lateness = new Map<HistoryEvent, number>();
  const commands = index.trace.filter(({ detail }) => detail?.kind === "command");
  for (const own of groupBy(commands, ({ detail }) => String(detail?.node)).values()) {
    for (const stretch of underOneClock(index, own)) {
      const promptestNs = stretch.reduce(
        (least, event) => Math.min(least, distanceOf(event)),
        Number.POSITIVE_INFINITY,
      );
      for (const event of stretch) lateness.set(event, distanceOf(event) - promptestNs);
    }
  }
  return lateness;
});

/** From the server's time to the receipt, in ns of two clocks without a common zero. */
function distanceOf({ atNs, detail }: HistoryEvent): number {
  return atNs - Number(detail?.serverMs) * 1e6;
}

/** The commands of a node in their order, cut where its clock stepped. */
function underOneClock(index: RoundIndex, commands: readonly HistoryEvent[]): HistoryEvent[][] {
  const { node } = commands[0]!.detail as unknown as TraceDetail;
  const stretches: HistoryEvent[][] = [];
  let from = 0;
  let isSteady = true;
  const take = (to: number) => {
    const part = commands.slice(from, to);
    if (isSteady) stretches.push(part);
    from = to;
  };
  for (const step of clockSteps(index, node)) {
    take(stepAt(commands, from, step));
    isSteady = step.thenSteady;
  }
  take(commands.length);
  return stretches.filter(({ length }) => length > 0);
}

/** A clock moved somewhere between two moments, ns; and whether it ran at its own speed from then on. */
interface ClockStep {
  earliestNs: number;
  latestNs: number;
  thenSteady: boolean;
}

/** How long a step and the receipts around it may take, ns. */
const STEP_SEEN_NS = 2e9;

/** The steps that faults made of the clock of a node. A fault is stamped before its step, its healing after. */
function clockSteps(index: RoundIndex, node: number): ClockStep[] {
  return faultWindows(index)
    .filter((window) => window.name === "redis-faketime")
    .filter((window) => nodesOf(window).length === 0 || nodesOf(window).includes(node))
    .flatMap(({ startNs, endNs, healed, params }): ClockStep[] => [
      {
        earliestNs: startNs,
        latestNs: Math.min(startNs + STEP_SEEN_NS, healed ? endNs : Number.POSITIVE_INFINITY),
        thenSteady: Number(params.speed ?? 1) === 1,
      },
      ...(healed
        ? [{ earliestNs: Math.max(startNs, endNs - STEP_SEEN_NS), latestNs: endNs + STEP_SEEN_NS, thenSteady: true }]
        : []),
    ])
    .sort((a, b) => a.latestNs - b.latestNs);
}

/** The first command under the new clock: the one by which the distance changed most, or the first of several alike. */
function stepAt(commands: readonly HistoryEvent[], from: number, { earliestNs, latestNs }: ClockStep): number {
  const changes: { position: number; changeNs: number }[] = [];
  for (let position = from; position < commands.length; position += 1) {
    const event = commands[position]!;
    if (event.atNs < earliestNs) continue;
    if (event.atNs > latestNs && changes.length > 0) break;
    const before = position > from ? commands[position - 1]! : event;
    changes.push({ position, changeNs: Math.abs(distanceOf(event) - distanceOf(before)) });
  }
  const most = changes.reduce((greatest, { changeNs }) => Math.max(greatest, changeNs), 0);
  return changes.find(({ changeNs }) => changeNs >= most / 2)?.position ?? commands.length;
}
