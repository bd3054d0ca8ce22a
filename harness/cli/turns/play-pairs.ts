import { join } from "node:path";
import { UsageError } from "../../errors.ts";
import type { RunResult } from "../../results/unite-rounds.ts";
import type { Progress } from "../progress.ts";
import { knows, playRound, type Surroundings } from "./play-round.ts";
import type { Side } from "./side.ts";

export interface PairPlan {
  base: Side;
  head: Side;
  pairs: number;
  roundMs: number;
  /** Seed of the first pair; each pair has the next. Both sides of a pair have the same. */
  firstSeed: number;
  /** Number of the first pair, from 1, for names and progress. */
  firstNumber: number;
  /** Rounds of both sides that there will be in all, for the progress. */
  totalRounds: number;
}

/** Rounds that belong together: the same seed, one right after the other. */
export interface PlayedPair {
  base: RunResult;
  head: RunResult;
}

interface PairSurroundings extends Surroundings {
  folder: string;
  progress: Progress;
  startedMs: number;
}

/**
 * Plays base and head in turns, ABBA, so that what changes about the machine over minutes reaches both alike. Gives
 * each pair when it is complete; an abort ends it after those that are.
 */
export async function* playPairs(
  plan: PairPlan,
  { folder, progress, startedMs, ...surroundings }: PairSurroundings,
): AsyncGenerator<PlayedPair> {
  const [base, head] = [await equipped(plan.base, surroundings), await equipped(plan.head, surroundings)];
  for (let index = 0; index < plan.pairs && !surroundings.signal.aborted; index++) {
    const number = plan.firstNumber + index;
    const results: Partial<PlayedPair> = {};
    try {
      for (const name of orderOf(number)) {
        const done = 2 * (number - 1) + Object.keys(results).length;
        const elapsedMs = performance.now() - startedMs;
        progress.update({
          phase: `pair ${number} of ${plan.totalRounds / 2}, ${name}`,
          elapsedMs,
          ...(done > 0 ? { totalMs: (elapsedMs / done) * plan.totalRounds } : {}),
        });
        const side = name === "base" ? base : head;
        const result = await playRound(
          {
            side,
            seed: (plan.firstSeed + index) % 2 ** 32,
            roundMs: plan.roundMs,
            folder: join(folder, "rounds", `${String(number).padStart(2, "0")}-${name}`),
          },
          surroundings,
        );
        if (result.kind === "compare") throw new UsageError(`${side.label} is a comparison itself.`);
        results[name] = result;
      }
    } catch (error) {
      if (surroundings.signal.aborted) return;
      throw error;
    }
    if (results.base !== undefined && results.head !== undefined) yield { base: results.base, head: results.head };
  }
}

/** The same, all at once. */
export async function playAll(plan: PairPlan, surroundings: PairSurroundings): Promise<PlayedPair[]> {
  const played: PlayedPair[] = [];
  for await (const pair of playPairs(plan, surroundings)) played.push(pair);
  return played;
}

/** ABBA: whoever comes first in one pair comes second in the next. */
export function orderOf(number: number): readonly ("base" | "head")[] {
  return number % 2 === 1 ? ["base", "head"] : ["head", "base"];
}

/** Arms without a lock would cost two thirds of the time and show nothing about a difference. */
export async function equipped(side: Side, surroundings: Surroundings): Promise<Side> {
  if (side.kind !== "lock") return side;
  if (side.foreign && !(await knows(side, "--no-control", surroundings))) return side;
  return { ...side, args: [...side.args, "--no-control"] };
}
