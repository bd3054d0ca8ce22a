import type { ConvergeFailure } from "../../results/converge-schema.ts";
import { LAW_ORACLES } from "../oracles/registry.ts";
import { eventCount, HEADER, STRIDE } from "../plan/event.ts";
import type { Runner } from "../run/runner.ts";
import { shrink } from "./shrink.ts";
import { trace } from "./trace.ts";

/** A failing schedule, shrunk and told step by step: what a campaign reports of it. */
export type Counterexample = Omit<ConvergeFailure, "seed" | "index" | "replay" | "file"> & {
  /** The shrunk schedule itself, for the replay file, and whether the deep oracles were asked. */
  schedule: number[];
  deep: boolean;
};

/**
 * Shrinks a schedule that fails by this oracle, and traces what is left.
 * @param deep whether the deep oracles are asked, as they were when the failure was found: they speak before others
 * @param isOver ends shrinking early, with what it has
 * @returns undefined when the schedule does not fail by this oracle
 */
export function counterexample(
  runner: Runner,
  schedule: Int32Array,
  oracle: string,
  deep: boolean,
  isOver?: () => boolean,
): Counterexample | undefined {
  const failure = runner.run(schedule, deep);
  if (failure?.oracle !== oracle) return undefined;
  const events = eventCount(schedule);
  // What came after the failure has no part in it.
  const cut = schedule.slice(0, HEADER + STRIDE * Math.min(failure.event + 1, events));
  // A failure seen at an event stays one: in the final exchange it would take fewer events, and tell less.
  const atEvent = failure.event < events;
  const isLaw = LAW_ORACLES.some(({ name }) => name === oracle);
  const watcher = { skipsFinish: atEvent, skipsExchange: isLaw };
  const { schedule: shrunk, wasCutShort } = shrink(
    cut,
    runner.world.regions.length,
    (candidate) => runner.run(candidate, deep, watcher)?.oracle === oracle,
    isOver,
  );
  return {
    ...tell(runner, shrunk, deep),
    eventsBefore: events,
    ...(wasCutShort ? { shrinkingCutShort: true } : {}),
  };
}

/** A schedule as it runs, with its failure in words. */
export function tell(runner: Runner, schedule: Int32Array, deep: boolean): Counterexample {
  const { steps, failure, failedAt, values } = trace(runner, schedule, deep);
  return {
    oracle: failure?.oracle ?? "",
    eventsBefore: eventCount(schedule),
    eventsAfter: eventCount(schedule),
    steps,
    failedAt,
    region: failure?.region ?? 0,
    expected: failure?.expected ?? "",
    actual: failure?.actual ?? "",
    values,
    schedule: Array.from(schedule),
    deep,
  };
}
