import type { CrdtRef } from "../adapter/crdt-ref.ts";
import { BrokenHand, startInline } from "../campaign/hand.ts";
import type { Counterexample } from "../counterexample/counterexample.ts";
import { eventCount } from "../plan/event.ts";
import { DEFAULTS } from "../resolve-options.ts";
import { startThread } from "../thread/thread.ts";
import type { ReplayFile } from "./replay-file.ts";

export interface RunReplayOptions {
  /** 0: in the caller's own thread, where nothing guards against a step that hangs. Default: 1. */
  threads?: 0 | 1;
  /** Default: 5 s. */
  stepDeadlineMs?: number;
}

/**
 * Runs a counterexample again, against what is at `ref` now. `oracle` is "" in what it gives when nothing is wrong.
 * @throws UsageError when the module gives no adapter
 */
export async function runReplay(
  ref: CrdtRef,
  { seed, regions, all, deep, schedule, arguments: kind }: Omit<ReplayFile, "schema">,
  { threads = 1, stepDeadlineMs = DEFAULTS.stepDeadlineMs }: RunReplayOptions = {},
): Promise<Counterexample> {
  const hand = threads === 0 ? await startInline() : await startThread({ stepDeadlineMs });
  const events = eventCount(Int32Array.from(schedule));
  try {
    const [minEvents, maxEvents] = [Math.max(1, events), Math.max(1, events)];
    await hand.ask("open", { ref, plan: { seed, regions, all, minEvents, maxEvents } });
    return await hand.ask("replay", { regions, arguments: kind, deep, all, schedule });
  } catch (error) {
    if (!(error instanceof BrokenHand)) throw error;
    return {
      oracle: "CRASH",
      eventsBefore: events,
      eventsAfter: events,
      steps: [],
      failedAt: error.event,
      region: 0,
      expected: `event ${error.event} returns`,
      actual: `it ${error.message}`,
      schedule: [...schedule],
      deep,
    };
  } finally {
    await hand.close();
  }
}
