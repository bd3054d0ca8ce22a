import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { type Counterexample, tell } from "../counterexample/counterexample.ts";
import { eventCount } from "../plan/event.ts";
import { Runner } from "../run/runner.ts";
import type { ReplayRequest } from "./replay-file.ts";

/** Runs the schedule of a counterexample once more. `oracle` is "" in what it gives when nothing is wrong now. */
export function replaySchedule(adapter: CrdtAdapter, request: ReplayRequest, heartbeat?: Int32Array): Counterexample {
  const schedule = Int32Array.from(request.schedule);
  const runner = new Runner(adapter, {
    regions: request.regions,
    maxEvents: Math.max(1, eventCount(schedule)),
    arguments: request.arguments,
    all: request.all,
    ...(heartbeat === undefined ? {} : { heartbeat }),
  });
  return tell(runner, schedule, request.deep);
}
