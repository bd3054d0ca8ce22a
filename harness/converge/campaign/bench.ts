import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { messageOf, UsageError } from "../../errors.ts";
import type { CrdtRef } from "../adapter/crdt-ref.ts";
import { loadAdapter } from "../adapter/load-adapter.ts";
import { counterexample, tell } from "../counterexample/counterexample.ts";
import { unfinished } from "../counterexample/unfinished.ts";
import { estimateSearch } from "../exhaustive/estimate.ts";
import { Search } from "../exhaustive/search.ts";
import { replaySchedule, runnerFor } from "../replay/replay-schedule.ts";
import { possibleSometimes } from "../run/possible-sometimes.ts";
import { PromisedAnswer } from "../run/synchronous.ts";
import { HEARTBEAT } from "../thread/heartbeat.ts";
import type { Orders, OrderType } from "../thread/messages.ts";
import { absoluteNowMs } from "./absolute-now.ts";
import { Executor } from "./executor.ts";
import { Journal } from "./journal.ts";
import type { CampaignPlan } from "./plan.ts";

type Handlers = {
  [Type in OrderType]: (asked: Orders[Type]["asked"]) => Orders[Type]["answer"] | Promise<Orders[Type]["answer"]>;
};

/** Carries out orders with one adapter at a time, in the thread that it is made in. */
export class Bench {
  private readonly heartbeat: Int32Array;
  private adapter: CrdtAdapter | undefined;
  private plan: CampaignPlan | undefined;
  private executor: Executor | undefined;
  private journal: Journal | undefined;
  private search: Search | undefined;

  constructor(heartbeat: Int32Array) {
    this.heartbeat = heartbeat;
  }

  async carryOut<Type extends OrderType>(type: Type, asked: Orders[Type]["asked"]): Promise<Orders[Type]["answer"]> {
    return await this.handlers[type](asked);
  }

  private readonly handlers: Handlers = {
    open: async ({ ref, plan, journal }) => {
      this.close();
      this.adapter = await loadAdapter(ref);
      this.plan = plan;
      if (journal !== undefined) this.journal = new Journal(journal);
      const { name, broken, writesWaitFor } = this.adapter;
      return {
        name,
        sometimes: possibleSometimes(this.firstOpened(ref).runner.world),
        broken: broken && { wrongThought: broken.wrongThought, caughtBy: [...broken.caughtBy] },
        writesWaitFor,
      };
    },
    chunk: (chunk) => this.opened.run(chunk, this.beat, this.journal),
    counterexample: ({ index, oracle, untilMs }) =>
      this.opened.counterexample(index, oracle, () => this.isOver(untilMs)),
    tell: ({ index }) => {
      const schedule = this.opened.schedule(index);
      return tell(this.opened.runner, schedule, this.opened.isDeep(schedule));
    },
    unfinished: ({ index, event, reason, request }) => {
      if (request !== undefined) {
        const runner = runnerFor(this.adapter!, request, this.heartbeat);
        return unfinished(runner, Int32Array.from(request.schedule), request.deep, event, reason);
      }
      const schedule = this.opened.schedule(index);
      return unfinished(this.opened.runner, schedule, this.opened.isDeep(schedule), event, reason);
    },
    estimate: (options) => estimateSearch(this.adapter!, options, this.heartbeat),
    exhaustive: ({ goesOn, untilMs, ...part }) => {
      if (!goesOn || this.search === undefined) this.search = new Search(this.adapter!, part, this.heartbeat);
      const isDone = this.search.advance(() => this.isOver(untilMs));
      return { ...this.search.report(), isDone };
    },
    shrink: ({ oracle, untilMs, ...request }) => {
      const schedule = Int32Array.from(request.schedule);
      const runner = runnerFor(this.adapter!, request, this.heartbeat);
      return counterexample(runner, schedule, oracle, request.deep, () => this.isOver(untilMs));
    },
    replay: (request) => replaySchedule(this.adapter!, request, this.heartbeat),
  };

  /** A replica is made here for the first time. */
  private firstOpened({ name, argument }: CrdtRef): Executor {
    try {
      return this.opened;
    } catch (error) {
      if (error instanceof PromisedAnswer) throw error;
      throw new UsageError(`${argument ?? name}: a replica could not be made: ${messageOf(error)}`, {
        code: "BAD_ADAPTER",
        cause: error,
      });
    }
  }

  private get opened(): Executor {
    this.executor ??= new Executor(this.adapter!, this.plan!, this.heartbeat);
    return this.executor;
  }

  private isOver(untilMs: number | undefined): boolean {
    if (this.heartbeat[HEARTBEAT.stop] === 1) return true;
    return untilMs !== undefined && absoluteNowMs() >= untilMs;
  }

  private readonly beat = (index: number, schedule: Int32Array): void => {
    this.heartbeat[HEARTBEAT.indexLow] = index | 0;
    this.heartbeat[HEARTBEAT.indexHigh] = Math.floor(index / 2 ** 32);
    this.journal?.begin(index, schedule);
  };

  close(): void {
    this.journal?.close();
    this.journal = undefined;
    this.executor = undefined;
    this.search = undefined;
  }
}
