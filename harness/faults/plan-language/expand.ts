import { formatDurationMs } from "../../config/units.ts";
import type { FaultDescription, FaultParameters, FaultTrigger, PlannedFault } from "../../contracts/fault.ts";
import type { RandomStream } from "../../random-stream.ts";
import type { FaultSpec } from "./bind.ts";
import { type FaultPlan, type PlanContext, roundsText } from "./fault-plan.ts";
import { drawFault, type RandomSpec } from "./random.ts";
import { type Piece, planError } from "./source.ts";
import { candidatesOf, defaultTargets, type TargetTerm } from "./target.ts";

/** One start of a fault, its targets not yet decided. */
interface Occurrence {
  /** Place of its entry in the plan. */
  index: number;
  fault: FaultDescription;
  parameters: FaultParameters;
  trigger: FaultTrigger;
  forMs?: number;
  terms: readonly TargetTerm[];
  target: Piece;
  timing: Piece;
  /** True: it keeps out of the way of every fault of its group, and not only of the same fault. */
  isRandom?: boolean;
}

/** A server or process that was killed or restarted is not hit again by chance before it is back, ms. */
const recoveryMs = 500;

/**
 * Makes a plan explicit for one round: repetitions written out, `any` and random faults drawn, targets named.
 * @param streamOf the random stream of an entry, by its place in the plan
 * Throws `UsageError` for a fault that does not fit into the round and for overlaps: same fault, same target,
 * intersecting windows.
 */
export function expandFaults(
  plan: FaultPlan,
  context: PlanContext,
  streamOf: (index: number) => RandomStream,
): PlannedFault[] {
  const windows = new Windows();
  const placed: (Occurrence & { targets: readonly string[] })[] = [];
  const place = (occurrence: Occurrence, random: RandomStream) =>
    placed.push({ ...occurrence, targets: windows.take(occurrence, context, random) });

  const occurrences = plan.specs.flatMap((spec, index) => ("kind" in spec ? [] : occurrencesOf(spec, index, context)));
  // What is explicit comes first, so that what is drawn keeps out of its way.
  const isDrawn = ({ terms }: Occurrence) => terms.some((term) => candidatesOf(term, context.counts).draw);
  for (const occurrence of occurrences.filter((one) => !isDrawn(one))) place(occurrence, streamOf(occurrence.index));
  plan.specs.forEach((spec, index) => {
    const random = streamOf(index);
    if ("kind" in spec) placeRandom(spec, index, context, random, windows, place);
    else for (const one of occurrences) if (one.index === index && isDrawn(one)) place(one, random);
  });

  return placed.sort(byStart).map(({ fault, targets, parameters, trigger, forMs }, position) => ({
    id: `f${position + 1}`,
    name: fault.name,
    targets,
    parameters,
    trigger,
    ...(forMs === undefined ? {} : { forMs }),
  }));
}

function occurrencesOf(spec: FaultSpec, index: number, context: PlanContext): Occurrence[] {
  const { fault, parameters, timing, targets: terms, at } = spec;
  const shared = { index, fault, parameters, terms, target: at.target, timing: at.timing };
  const startMs = timing.kind === "at" ? timing.atMs : timing.afterMs;
  const lastsMs = fault.lasts ? (spec.forMs ?? context.roundMs - startMs) : 0;
  const fits = startMs + lastsMs <= context.roundMs && startMs < context.roundMs;
  if (!fits) refuseLength(spec, startMs, lastsMs, context);
  const forMs = fault.lasts ? { forMs: lastsMs } : {};
  if (timing.kind === "on") return [{ ...shared, trigger: timing, ...forMs }];
  const { everyMs } = timing;
  if (everyMs === undefined) return [{ ...shared, trigger: { kind: "at", atMs: startMs }, ...forMs }];
  const repeated: Occurrence[] = [];
  const eachMs = spec.forMs ?? (fault.lasts ? everyMs : 0);
  for (let count = 0; ; count += 1) {
    const atMs = startMs + count * everyMs;
    if (atMs + eachMs > context.roundMs || atMs >= context.roundMs) break;
    repeated.push({ ...shared, trigger: { kind: "at", atMs }, ...(fault.lasts ? { forMs: eachMs } : {}) });
  }
  return repeated;
}

function refuseLength({ fault, at }: FaultSpec, startMs: number, lastsMs: number, context: PlanContext): never {
  const { roundMs, rounds } = context;
  // A fault that starts with the round's end, or lasts to it, needs some of the round to be in force.
  const needed = Math.ceil(Math.max(startMs + Math.max(lastsMs, 0), startMs + 1));
  throw planError(
    at.timing,
    `${fault.name} does not fit into a round of ${formatDurationMs(roundMs)}: it needs ${formatDurationMs(needed)}. ` +
      `The shortest --duration that fits ${roundsText(rounds)} is ${formatDurationMs(needed * rounds)}.`,
  );
}

function placeRandom(
  spec: RandomSpec,
  index: number,
  context: PlanContext,
  random: RandomStream,
  windows: Windows,
  place: (occurrence: Occurrence, random: RandomStream) => void,
): void {
  if (spec.of.length === 0) throw planError(spec.name, "there is no fault that could be drawn.");
  for (let count = 0; count < spec.count; count += 1) {
    const occurrence = firstFree(spec, index, context, random, windows);
    if (!occurrence) {
      throw planError(
        spec.name,
        `${spec.count} random faults find no room in a round; ask for fewer, or for a longer round.`,
      );
    }
    place(occurrence, random);
  }
}

function firstFree(
  spec: RandomSpec,
  index: number,
  context: PlanContext,
  random: RandomStream,
  windows: Windows,
): Occurrence | undefined {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { fault, parameters, atMs, forMs } = drawFault(spec, context.roundMs, random);
    // What has a default target of its own keeps to it: not every node can fail over.
    const terms = defaultTargets(fault, context.counts).map(
      fault.defaultTarget === undefined ? aimedAtOne : (term) => term,
    );
    const occurrence: Occurrence = {
      isRandom: true,
      ...{ index, fault, parameters, terms, target: spec.name, timing: spec.name },
      trigger: { kind: "at", atMs },
      ...(forMs === undefined ? {} : { forMs }),
    };
    if (windows.hasRoom(occurrence, context)) return occurrence;
  }
  return undefined;
}

/** A random fault hits one of several. */
const aimedAtOne = (term: TargetTerm): TargetTerm => ({
  ...term,
  ends: term.ends.map((end) => (end.kind === "run" || end.kind === "queue" ? end : { ...end, index: "any" })),
});

/** When each target has each fault. */
class Windows {
  readonly #taken = new Map<string, { fromMs: number; toMs: number }[]>();
  readonly #events = new Set<string>();

  /** Decides the targets of an occurrence and keeps its window. */
  take(occurrence: Occurrence, { counts }: PlanContext, random: RandomStream): string[] {
    const chosen: string[] = [];
    for (const term of occurrence.terms) {
      const { draw, targets } = candidatesOf(term, counts);
      if (targets.length === 0)
        throw planError(occurrence.target, `there is nothing that ${occurrence.fault.name} could be aimed at.`);
      if (draw) {
        const free = targets.filter((target) => !chosen.includes(target) && !this.#isTaken(occurrence, target));
        if (free.length === 0)
          throw planError(occurrence.target, overlapMessage(occurrence, "every target that it could be aimed at"));
        chosen.push(random.pick(free));
      } else {
        const taken = targets.find((target) => chosen.includes(target) || this.#isTaken(occurrence, target));
        if (taken) throw planError(occurrence.timing, overlapMessage(occurrence, taken));
        chosen.push(...targets);
      }
    }
    for (const target of chosen) this.#keep(occurrence, target);
    return chosen;
  }

  hasRoom(occurrence: Occurrence, { counts }: PlanContext): boolean {
    return occurrence.terms.every((term) =>
      candidatesOf(term, counts).targets.some((target) => !this.#isTaken(occurrence, target)),
    );
  }

  #isTaken(occurrence: Occurrence, target: string): boolean {
    const { fault, trigger, forMs = 0, isRandom } = occurrence;
    if (trigger.kind === "on") return this.#events.has(eventKey(occurrence, target));
    const { atMs } = trigger;
    if (isRandom && fault.group !== "network" && this.#isRecovering(occurrence, target)) return true;
    // Windows are half open; faults at one instant meet only in the same one.
    return (this.#taken.get(`${fault.name} ${target}`) ?? []).some(({ fromMs, toMs }) =>
      forMs === 0 ? atMs === fromMs : atMs < toMs && fromMs < atMs + forMs,
    );
  }

  /** Does another fault of the group act on the target within this window, or shortly before or after? */
  #isRecovering({ fault, trigger, forMs = 0 }: Occurrence, target: string): boolean {
    const atMs = trigger.kind === "at" ? trigger.atMs : 0;
    return (this.#taken.get(`${fault.group} ${target}`) ?? []).some(
      ({ fromMs, toMs }) => atMs < toMs + recoveryMs && fromMs < atMs + forMs + recoveryMs,
    );
  }

  #keep(occurrence: Occurrence, target: string): void {
    const { fault, trigger, forMs = 0 } = occurrence;
    if (trigger.kind === "on") {
      this.#events.add(eventKey(occurrence, target));
      return;
    }
    for (const key of [`${fault.name} ${target}`, `${fault.group} ${target}`]) {
      const windows = this.#taken.get(key) ?? [];
      windows.push({ fromMs: trigger.atMs, toMs: trigger.atMs + forMs });
      this.#taken.set(key, windows);
    }
  }
}

const eventKey = ({ fault, trigger }: Occurrence, target: string): string =>
  `${fault.name} ${target} ${JSON.stringify(trigger)}`;

function overlapMessage({ fault, trigger, forMs = 0 }: Occurrence, target: string): string {
  if (trigger.kind === "on") return `${target} has ${fault.name} on this event already.`;
  const [from, to] = [formatDurationMs(trigger.atMs), formatDurationMs(trigger.atMs + forMs)];
  return `${fault.name} overlaps another ${fault.name}: ${target} has it already ${forMs === 0 ? `at ${from}` : `between ${from} and ${to}`}.`;
}

/** By start; those that wait for an event come last, in the order of the plan. */
function byStart(a: Occurrence, b: Occurrence): number {
  const [startA, startB] = [a, b].map(({ trigger }) => (trigger.kind === "at" ? trigger.atMs : Number.MAX_VALUE));
  return (startA ?? 0) - (startB ?? 0) || a.index - b.index;
}
