import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { type Counterexample, counterexample } from "../counterexample/counterexample.ts";
import { HEAD } from "../plan/event.ts";
import { Generator } from "../plan/generate.ts";
import { POOLS } from "../plan/pool.ts";
import type { CoverageNumbers } from "../run/coverage.ts";
import { possibleKinds } from "../run/possible-kinds.ts";
import { Runner, type Watcher } from "../run/runner.ts";
import { HEARTBEAT } from "../thread/heartbeat.ts";
import { Found, type FoundNumbers } from "./found.ts";
import { type CampaignPlan, DEEP_EVERY } from "./plan.ts";

/** A part of a campaign: the schedules number `first`, `first + stride`, ..., `count` of them. */
export interface Chunk {
  first: number;
  stride: number;
  count: number;
  /** Stop early at this time, of `absoluteNowMs`. */
  untilMs?: number;
  /** Stop at the first failure by one of these oracles. */
  stopAt?: readonly string[];
}

export interface ChunkReport {
  /** How many schedules ran; fewer than asked when it stopped early. */
  ran: number;
  elapsedMs: number;
  coverage: CoverageNumbers;
  found: FoundNumbers;
}

/** Told which schedule is about to run. */
export type OnSchedule = (index: number, schedule: Int32Array) => void;

/** Schedules that take longer than this, in ms, are as dear as the look at a clock that follows each of them. */
const SLOW_MS = 0.5;

/** Runs parts of a campaign in this thread. */
export class Executor {
  readonly runner: Runner;
  private readonly generator: Generator;
  private readonly deepEvery: number;
  private readonly heartbeat: Int32Array | undefined;

  /** @param heartbeat see Runner */
  constructor(adapter: CrdtAdapter, plan: CampaignPlan, heartbeat?: Int32Array) {
    const { regions, seed, minEvents, maxEvents, all } = plan;
    this.heartbeat = heartbeat;
    this.runner = new Runner(adapter, { regions, maxEvents, all, ...(heartbeat === undefined ? {} : { heartbeat }) });
    const kinds = possibleKinds(this.runner.world);
    this.generator = new Generator({ seed, minEvents, maxEvents, pools: POOLS, kinds });
    this.deepEvery = plan.deepEvery ?? DEEP_EVERY[adapter.style];
  }

  run({ first, stride, count, untilMs, stopAt }: Chunk, onSchedule?: OnSchedule, watcher?: Watcher): ChunkReport {
    const { runner, generator } = this;
    const { coverage } = runner.world;
    const found = new Found();
    const startedMs = performance.now();
    coverage.reset();
    let ran = 0;
    let isSlow = true;
    for (; ran < count; ran++) {
      const index = first + ran * stride;
      const schedule = generator.generate(index);
      onSchedule?.(index, schedule);
      const failure = runner.run(schedule, this.isDeep(schedule), watcher);
      if (failure !== undefined) {
        found.add(failure.oracle, index);
        if (stopAt?.includes(failure.oracle)) {
          ran++;
          break;
        }
      }
      // Asking for the time at every schedule would cost more than some schedules do.
      if (untilMs !== undefined && (isSlow || ran % 8 === 7)) {
        const nowMs = performance.now();
        isSlow = nowMs - startedMs > (ran + 1) * SLOW_MS;
        if (performance.timeOrigin + nowMs >= untilMs) {
          ran++;
          break;
        }
      }
      if (this.heartbeat?.[HEARTBEAT.stop] === 1) {
        ran++;
        break;
      }
    }
    return { ran, elapsedMs: performance.now() - startedMs, coverage: coverage.numbers(), found: found.numbers() };
  }

  schedule(index: number): Int32Array {
    return this.generator.generate(index).slice();
  }

  isDeep(schedule: Int32Array): boolean {
    return schedule[HEAD.deep]! % this.deepEvery === 0;
  }

  /** The failure of a schedule by an oracle, shrunk until it is over, and told. */
  counterexample(index: number, oracle: string, isOver?: () => boolean): Counterexample | undefined {
    const schedule = this.schedule(index);
    return counterexample(this.runner, schedule, oracle, this.isDeep(schedule), isOver);
  }
}
