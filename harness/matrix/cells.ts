import type { Scenario } from "../contracts/scenario.ts";
import { randomStream } from "../random-stream.ts";
import type { Cell, MatrixLock } from "./cell.ts";

export interface MatrixShape {
  locks: readonly MatrixLock[];
  scenarios: readonly Scenario[];
  repeat: number;
  seed: number;
  /** One of `count` equal parts; `index` from 0. */
  shard?: { index: number; count: number };
}

/** Every cell that applies, in the order of the table: by lock, then scenario, then repetition. */
export function cellsOf({ locks, scenarios, repeat, seed, shard }: MatrixShape): Cell[] {
  const cells = locks.flatMap((lock, lockIndex) =>
    scenarios.flatMap((scenario) =>
      whyNotApplicable(lock, scenario) === undefined
        ? Array.from({ length: repeat }, (_, index): Cell => {
            const number = index + 1;
            const id = `${fileName(lock.name)}${sameName(locks, lockIndex)}~${scenario.name}~${number}`;
            return { id, lock, scenario, repeat: number, seed: cellSeed(seed, scenario.name, number) };
          })
        : [],
    ),
  );
  return shard === undefined ? cells : cells.filter((_, index) => index % shard.count === shard.index);
}

/** Why a scenario has nothing to say about a lock; undefined where it has. */
export function whyNotApplicable(lock: MatrixLock, scenario: Scenario): string | undefined {
  return (
    lock.missing ??
    scenario.notApplicable?.(lock) ??
    (lock.capabilities.oncePerKey ? sharedKey(lock, scenario) : undefined)
  );
}

function sharedKey(lock: MatrixLock, scenario: Scenario): string | undefined {
  const { load } = scenario.plan(lock);
  const keys = "jobs" in load ? load.jobs.map(({ key }) => key) : [];
  return new Set(keys).size < keys.length
    ? "it refuses a key whose work is done, and here several jobs share a key"
    : undefined;
}

function cellSeed(seed: number, scenario: string, repeat: number): number {
  return randomStream(seed, "cell", scenario, repeat).whole(0, 0x7fff_ffff);
}

const fileName = (name: string) => name.replaceAll(/[^\w.-]+/g, "-");

/** Two locks may become one file name, such as `my-lock(a=1)` and `my-lock(a=2)` of other users' folders. */
function sameName(locks: readonly MatrixLock[], index: number): string {
  const own = fileName(locks[index]!.name);
  const before = locks.slice(0, index).filter(({ name }) => fileName(name) === own).length;
  return before === 0 ? "" : `-${before + 1}`;
}
