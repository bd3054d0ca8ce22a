import { EVENT_KINDS, eventCount, HEADER, KIND, STRIDE } from "../plan/event.ts";
import type { Runner } from "../run/runner.ts";
import type { World } from "../run/world.ts";
import type { Counterexample } from "./counterexample.ts";
import { trace } from "./trace.ts";

/**
 * Tells a schedule up to an event that never came back: one that hung, or that took its thread along. It cannot be shrunk,
 * since every try would hang as well.
 * @param event index of that event; the number of events, for the final exchange
 * @param reason what happened instead, such as `did not return within 5000 ms`
 */
export function unfinished(
  runner: Runner,
  schedule: Int32Array,
  deep: boolean,
  event: number,
  reason: string,
): Counterexample {
  const events = eventCount(schedule);
  const before = schedule.slice(0, HEADER + STRIDE * Math.min(event, events));
  const { steps, values } = trace(runner, before, deep, { finish: false });
  const region = event < events ? regionOf(runner.world, schedule, event) : 0;
  const kind = event < events ? EVENT_KINDS[schedule[HEADER + event * STRIDE]!]! : "exchange";
  const id = runner.world.regions[region]!.id;
  const what = event < events ? `${kind} in ${id}` : "the final exchange";
  const failedAt = steps.push({ kind, region, text: `${what} ${reason}` }) - 1;
  return {
    oracle: "CRASH",
    eventsBefore: events,
    eventsAfter: Math.min(event + 1, events),
    steps,
    failedAt,
    region,
    expected: `${what} returns`,
    actual: `it ${reason}`,
    values,
    schedule: Array.from(schedule.subarray(0, HEADER + STRIDE * Math.min(event + 1, events))),
    deep,
  };
}

function regionOf({ regions, mail }: World, schedule: Int32Array, event: number): number {
  const at = HEADER + event * STRIDE;
  const kind = schedule[at]!;
  const a = schedule[at + 1]!;
  if (kind === KIND.deliver && mail.inFlightCount > 0) return mail.to[mail.inFlight[a % mail.inFlightCount]!]!;
  if (kind === KIND.again && mail.pastCount > 0) return mail.to[mail.past[a % mail.pastCount]!]!;
  if (kind === KIND.forward && mail.pastCount > 0) return mail.to[mail.past[a % mail.pastCount]!]!;
  return a % regions.length;
}
