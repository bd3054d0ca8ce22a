import type { RoundIndex } from "./round-index.ts";
import { type FaultWindow, faultWindows, workersOf } from "./windows.ts";

/** When this worker's process or its event loop stood still, on purpose: it could neither send, nor hear, nor tell. */
export function standstillsOf(index: RoundIndex, workerNumber: number): FaultWindow[] {
  return faultWindows(index).filter((window) => isStandstill(window) && workersOf(window).includes(workerNumber));
}

/** Nothing in the process runs meanwhile, the timers of a lock included. */
export function isStandstill({ name }: Pick<FaultWindow, "name">): boolean {
  return name === "worker-stop" || name === "worker-block";
}

/** What it takes a process to get going again, ns. */
const AWAKE_NS = 100e6;

/** The standstill that it is in at a moment, or has just come out of. */
export function standstillAt(index: RoundIndex, workerNumber: number, atNs: number): FaultWindow | undefined {
  return standstillsOf(index, workerNumber).find(({ startNs, endNs }) => startNs <= atNs && atNs <= endNs + AWAKE_NS);
}
