import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { messageOf } from "../../errors.ts";
import { StorageError } from "../../storage-error.ts";
import { reloadRegion } from "../oracles/live-reload.ts";
import type { EndFacts } from "../oracles/oracle.ts";
import { eventCount, HEADER, STRIDE } from "../plan/event.ts";
import { EVENTS } from "./events/registry.ts";
import type { Failure } from "./failure.ts";
import { finish } from "./finish.ts";
import { WorldLab } from "./lab.ts";
import { PromisedAnswer } from "./synchronous.ts";
import { World, type WorldOptions } from "./world.ts";

export interface Watcher {
  /** Before an event runs. */
  before?(event: number): void;
  /** After it ran. */
  after?(event: number, didSomething: boolean): void;
  onMoment?(moment: EndFacts["moment"]): void;
  /** Only the events, without the final exchange. */
  readonly skipsFinish?: boolean;
  /** Up to the laws, which are tried before the final exchange. */
  readonly skipsExchange?: boolean;
}

export interface RunnerOptions extends WorldOptions {
  /** Every oracle after every step. */
  all?: boolean;
  /** Judge nothing but the steps: for measuring. */
  stepTierOnly?: boolean;
  /** Memory that another thread looks at: the number of schedules begun, and the event that runs. */
  heartbeat?: Int32Array;
}

/** Runs schedules against one adapter, one after the other, in the same world. */
export class Runner {
  readonly world: World;
  private readonly all: boolean;
  private readonly stepTierOnly: boolean;
  private readonly heartbeat: Int32Array;

  constructor(adapter: CrdtAdapter, options: RunnerOptions) {
    this.world = new World(adapter, options);
    this.all = options.all ?? false;
    this.world.everything = this.all;
    this.stepTierOnly = options.stepTierOnly ?? false;
    this.heartbeat = options.heartbeat ?? new Int32Array(2);
  }

  /**
   * Runs a schedule from the start to its end or its first failure.
   * @param deep whether the deep oracles are asked too
   */
  run(schedule: Int32Array, deep: boolean, watcher?: Watcher): Failure | undefined {
    const { world } = this;
    this.heartbeat[0]!++;
    this.heartbeat[1] = 0;
    try {
      world.begin(schedule, deep || this.all);
      this.runEvents(schedule, watcher);
      if (world.failure === undefined && watcher?.skipsFinish !== true) {
        world.event = eventCount(schedule);
        this.heartbeat[1] = world.event;
        watcher?.before?.(world.event);
        finish(world, watcher?.onMoment?.bind(watcher), {
          stepTierOnly: this.stepTierOnly,
          skipsExchange: watcher?.skipsExchange ?? false,
        });
      }
    } catch (thrown) {
      // The journal could not be written, or no schedule could be judged: no fault that a schedule shows.
      if (thrown instanceof StorageError || thrown instanceof PromisedAnswer) throw thrown;
      world.fail("CRASH", world.lastRegion, "no exception", describe(thrown));
    }
    world.coverage.schedules++;
    if (world.deep) world.coverage.deepSchedules++;
    return world.failure;
  }

  private runEvents(schedule: Int32Array, watcher: Watcher | undefined): void {
    const { world, heartbeat } = this;
    const { coverage } = world;
    for (let at = HEADER, event = 0; at < schedule.length; at += STRIDE, event++) {
      world.event = event;
      heartbeat[1] = event;
      watcher?.before?.(event);
      const did = EVENTS[schedule[at]!]!(world, schedule[at + 1]!, schedule[at + 2]!, schedule[at + 3]!);
      if (did) coverage.events[schedule[at]!]!++;
      else coverage.skipped++;
      if (did && world.failure === undefined && (this.all || world.ownOracles)) this.judgeMore();
      watcher?.after?.(event, did);
      if (world.failure !== undefined) return;
    }
  }

  /** What only `--oracles all` and adapters with oracles of their own ask for. */
  private judgeMore(): void {
    const { world } = this;
    const region = world.lastRegion;
    if (this.all) {
      const finding = reloadRegion(new WorldLab(world, true), region);
      if (finding !== undefined) world.fail("LIVE-RELOAD", region, finding.expected, finding.actual);
    }
    for (const oracle of world.adapter.oracles ?? []) {
      if (oracle.tier !== "step") continue;
      const wrong = oracle.check(world.ownFacts(region));
      if (wrong !== undefined) world.fail(oracle.name, region, oracle.summary, wrong);
    }
  }
}

/** Without the stack: the same text on every machine. */
function describe(thrown: unknown): string {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return `threw ${name}: ${messageOf(thrown)}`;
}
