import type { HistoryEvent } from "../contracts/history.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";
import { type FaultWindow, faultWindows, workersOf } from "./windows.ts";

/** Something that locks are built on and that a fault took away: whatever broke after it carries its name. */
export interface BrokenAssumption {
  name: "server clock step" | "amnesia" | "failover" | "flush" | "eviction" | "worker clock step";
  /** The worker whose clock it was. Absent: the server. */
  workers?: readonly number[];
  startNs: number;
  endNs: number;
  event: HistoryEvent;
}

const SERVER: readonly (readonly [RegExp, BrokenAssumption["name"]])[] = [
  [/^redis-(clock|faketime)$/, "server clock step"],
  [/^redis-(kill|restart|amnesia|power-loss)$/, "amnesia"],
  [/^(redis-)?(failover|sentinel)$/, "failover"],
  [/^(redis-)?flush$/, "flush"],
  [/^(redis-)?(eviction|evict)$/, "eviction"],
];

/** The broken assumptions of an arm's round, in the order of time. */
const brokenAssumptions = remember((index: RoundIndex): readonly BrokenAssumption[] =>
  faultWindows(index)
    .flatMap(ofWindow)
    .sort((a, b) => a.startNs - b.startNs),
);

/** The first that lies between two moments, among those of the servers and of these workers' clocks. */
export function assumptionBetween(
  index: RoundIndex,
  startNs: number,
  endNs: number,
  workers: readonly number[] = [],
): BrokenAssumption | undefined {
  return brokenAssumptions(index).find(
    (broken) =>
      broken.startNs <= endNs &&
      broken.endNs >= startNs &&
      (broken.workers === undefined || broken.workers.some((worker) => workers.includes(worker))),
  );
}

function ofWindow(window: FaultWindow): BrokenAssumption[] {
  const { name, startNs, endNs, injected } = window;
  if (!injected) return [];
  if (name === "worker-clock") {
    return clockSteps(window).map((step) => ({ ...step, name: "worker clock step", workers: workersOf(window) }));
  }
  const label = SERVER.find(([pattern]) => pattern.test(name))?.[1];
  if (!label) return [];
  if (label === "server clock step") return clockSteps(window).map((step) => ({ ...step, name: label }));
  return [{ name: label, startNs, endNs, event: injected }];
}

/** A clock moves when the fault comes and when it goes; one that runs fast or slow moves all the time between. */
function clockSteps({ params, startNs, endNs, injected, healed }: FaultWindow) {
  if (!injected) return [];
  const runs = Number(params.speed ?? params.drift ?? params.rate ?? 1) !== 1;
  if (runs) return [{ startNs, endNs, event: injected }];
  const come = { startNs, endNs: startNs, event: injected };
  return healed ? [come, { startNs: endNs, endNs, event: healed }] : [come];
}
