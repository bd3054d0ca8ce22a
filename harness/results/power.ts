import { groupBy } from "../checks/arms.ts";
import { type Duplicate, duplicatesOf } from "../checks/duplicates.ts";
import { effectsByJob } from "../checks/effects.ts";
import type { RoundIndex } from "../checks/round-index.ts";
import { type FaultWindow, faultWindows, intersects, isStall } from "../checks/windows.ts";
import { upperBound95 } from "../measure/intervals.ts";
import { sum } from "./arm-figures.ts";
import type { Bounds, Power } from "./lock-schema.ts";

/** 0 against 5 at equal exposure has a one-sided p of 0.03. */
export const ENOUGH = { concurrentDuplicates: 5, faultWindows: 2 } as const;

/** Could a lock that does nothing have passed? What the control showed under the same plan. */
export function powerOf(control: readonly RoundIndex[]): Power {
  let concurrentDuplicatesInControl = 0;
  let faultWindowsHit = 0;
  for (const index of control) {
    const concurrent = duplicatesOf(index).filter((duplicate) => duplicate.class === "concurrent");
    concurrentDuplicatesInControl += concurrent.length;
    faultWindowsHit += countHit(judgedFaults(index), concurrent);
  }
  return {
    concurrentDuplicatesInControl,
    faultWindows: faultWindowsHit,
    enough: concurrentDuplicatesInControl >= ENOUGH.concurrentDuplicates && faultWindowsHit >= ENOUGH.faultWindows,
  };
}

/** How far the rates of an arm reach, in jobs, in jobs in flight during a fault, and in fault windows. */
export function boundsOf(arm: string, rounds: readonly RoundIndex[]): Bounds {
  const perRound = rounds.map((index) => {
    const blamed = duplicatesOf(index).filter((duplicate) => duplicate.class !== "inherent");
    const faults = judgedFaults(index);
    const inFlight = (job: string) => faults.some((windows) => windows.some((window) => flewIn(index, job, window)));
    return {
      jobs: effectsByJob(index).size,
      duplicated: blamed.length,
      inFlight: [...effectsByJob(index).keys()].filter(inFlight).length,
      duplicatedInFlight: blamed.filter(({ job }) => inFlight(job)).length,
      windows: faults.length,
      windowsHit: countHit(faults, blamed),
    };
  });
  const rate = (seen: number, n: number) => ({ n, upper95: upperBound95(Math.min(seen, n), n) });
  const total = (measure: (round: (typeof perRound)[number]) => number) => sum(perRound, measure);
  const [jobs, duplicated] = [total((round) => round.jobs), total((round) => round.duplicated)];
  const [inFlight, hit] = [total((round) => round.inFlight), total((round) => round.duplicatedInFlight)];
  const [windows, withDuplicates] = [total((round) => round.windows), total((round) => round.windowsHit)];
  return {
    arm,
    jobs: { ...rate(duplicated, jobs), duplicated },
    jobsInFlightDuringFaults: { ...rate(hit, inFlight), duplicated: hit },
    faultWindows: { ...rate(withDuplicates, windows), withDuplicates },
  };
}

/**
 * The windows that a verdict counts, in the control as in the locks: those in which something stood still or was cut
 * off. Jitter that lasts for the whole round is a window only where there is nothing else.
 */
function judgedFaults(index: RoundIndex): FaultWindow[][] {
  const stalls = faultsOf(index, isStall);
  return stalls.length > 0 ? stalls : faultsOf(index, () => true);
}

/** The windows of a round by fault: one fault on several targets is one window. */
function faultsOf(index: RoundIndex, accept: (window: FaultWindow) => boolean): FaultWindow[][] {
  return [...groupBy(faultWindows(index).filter(accept), ({ id }) => id).values()];
}

function countHit(faults: readonly FaultWindow[][], duplicates: readonly Duplicate[]): number {
  return faults.filter((windows) =>
    windows.some((window) => duplicates.some((duplicate) => intersects(window, ...lifeOf(duplicate)))),
  ).length;
}

/** From the first delivery to the last effect. */
function lifeOf({ effects }: Pick<Duplicate, "effects">): [startNs: number, endNs: number] {
  const starts = effects.map(({ steps, startNs }) => steps?.deliver?.atNs ?? startNs);
  return [Math.min(...starts), Math.max(...effects.map(({ endNs }) => endNs))];
}

function flewIn(index: RoundIndex, job: string, window: FaultWindow): boolean {
  const effects = effectsByJob(index).get(job);
  return effects !== undefined && intersects(window, ...lifeOf({ effects }));
}
