import type { ConvergeStep } from "../../results/converge-schema.ts";
import { show } from "../equality/show.ts";
import { EVENT_KINDS, eventCount, HEADER, STRIDE } from "../plan/event.ts";
import type { Failure } from "../run/failure.ts";
import type { Runner, Watcher } from "../run/runner.ts";
import type { World } from "../run/world.ts";
import { describeEvent } from "./describe.ts";

export interface Trace {
  steps: ConvergeStep[];
  failure: Failure | undefined;
  /** Index of the step at which it was seen; the number of steps when it was seen at the end. */
  failedAt: number;
  /** What every region shows at the moment of the failure, or at the end. */
  values: string[];
}

/**
 * Runs a schedule and writes down every step that it takes, up to its failure.
 * @param options.finish false: without the final exchange
 */
export function trace(runner: Runner, schedule: Int32Array, deep: boolean, { finish = true } = {}): Trace {
  const { world } = runner;
  const steps: ConvergeStep[] = [];
  const watcher: Watcher = {
    skipsFinish: !finish,
    after(event, didSomething) {
      steps.push(describeStep(world, schedule[HEADER + event * STRIDE]!, didSomething));
    },
    onMoment(moment) {
      if (moment !== "before the exchange") steps.push(...endSteps(world, moment));
    },
  };
  const failure = runner.run(schedule, deep, watcher);
  const events = eventCount(schedule);
  // A step that threw was not written down by the watcher.
  if (failure !== undefined && failure.event < events && steps.length === failure.event) {
    steps.push(describeStep(world, schedule[HEADER + failure.event * STRIDE]!, true));
  }
  const failedAt = failure === undefined || failure.event >= events ? steps.length : failure.event;
  return { steps, failure, failedAt, values: world.regions.map((region) => shownBy(region.replica)) };
}

const shownBy = (replica: { value(): unknown }): string => {
  try {
    return show(replica.value());
  } catch (error) {
    return `value() threw: ${String(error)}`;
  }
};

function describeStep(world: World, kind: number, didSomething: boolean): ConvergeStep {
  const { mail, regions, lastRegion, lastMessage, lastMessages, lastRefusal } = world;
  const name = EVENT_KINDS[kind]!;
  const step: ConvergeStep = { kind: name, region: lastRegion, text: describeEvent(world, kind, didSomething) };
  if (!didSomething) return step;
  const message = (number: number) => ({ number, from: mail.via[number]!, to: mail.to[number]! });
  const region = regions[lastRegion]!;
  if (name === "send") step.sent = Array.from({ length: lastMessages }, (_, at) => message(lastMessage + at));
  if (name === "forward") step.sent = [message(lastMessage)];
  if (name === "deliver" || name === "again" || name === "lose") step.received = message(lastMessage);
  if (name === "cut" || name === "heal") step.peer = world.lastChoice;
  if ((name === "operation" || name === "deliver" || name === "again") && lastRefusal !== undefined) {
    step.refused = lastRefusal;
  }
  if (name === "lose" || name === "cut" || name === "heal") return step;
  step.clock = clockOf(world, lastRegion);
  step.value = shownBy(region.replica);
  return step;
}

function clockOf(world: World, region: number): NonNullable<ConvergeStep["clock"]> {
  const { clock, replica } = world.regions[region]!;
  const stamp = world.adapter.hlc === undefined ? undefined : replica.stamp?.();
  return { wallMs: clock.ms, ...(stamp === undefined ? {} : { l: stamp.l, c: stamp.c }) };
}

const END_TEXTS = {
  "after the exchange": "takes what all others held when the links healed and the clocks were mended",
  "after the second round": "takes what all others hold once more",
  "after the collection": "collects garbage, all having seen all",
} as const;

function endSteps(world: World, moment: keyof typeof END_TEXTS): ConvergeStep[] {
  return world.regions.map(({ index, id, replica }) => ({
    kind: "exchange",
    region: index,
    text: `${id} ${END_TEXTS[moment]}`,
    clock: clockOf(world, index),
    value: shownBy(replica),
  }));
}
