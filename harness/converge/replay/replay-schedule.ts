import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { type Counterexample, tell } from "../counterexample/counterexample.ts";
import { eventCount } from "../plan/event.ts";
import { Runner } from "../run/runner.ts";
import type { ReplayRequest } from "./replay-file.ts";

/** Runs the schedule of a counterexample once more. `oracle` is "" in what it gives when nothing is wrong now. */
export function replaySchedule(adapter: CrdtAdapter, request: ReplayRequest, heartbeat?: Int32Array): Counterexample {
  return tell(runnerFor(adapter, request, heartbeat), Int32Array.from(request.schedule), request.deep);
}

/** A runner for one schedule. */
export function runnerFor(
  adapter: CrdtAdapter,
  { regions, schedule, arguments: kind, all }: ReplayRequest,
  heartbeat?: Int32Array,
): Runner {
  const maxEvents = Math.max(1, eventCount(Int32Array.from(schedule)));
  const shared = heartbeat === undefined ? {} : { heartbeat };
  return new Runner(adapter, { regions, maxEvents, arguments: kind, all, ...shared });
}
