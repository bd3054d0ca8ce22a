import type { Cell } from "./cell.ts";

/** A lock on five nodes has five times the commands; measured, its cells take a third more of a processor. */
const SEVERAL_NODES = 1.35;
/** How much more room a cell is given each time that the machine was too busy for it. */
const AGAIN = 1.6;
/** The part of all room that it gets at the most: the rest goes on beside it, and nobody waits until all have ended. */
const MOST = 0.7;

/**
 * How much of the machine a cell takes, by processor time per second, where one that mostly waits takes 1; more after
 * each try that the machine was too busy for.
 */
export function weightOf({ scenario, lock }: Cell, tries: number, capacity: number): number {
  const own = (scenario.weight ?? 1) * (lock.capabilities.nodes > 1 ? SEVERAL_NODES : 1);
  return tries === 0 ? own : Math.min(own * AGAIN ** tries, Math.max(own, capacity * MOST));
}
