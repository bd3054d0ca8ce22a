import { HEAD, HEADER, KIND, STRIDE } from "../plan/event.ts";

/** Whether a schedule still fails in the same way. Must always give the same answer. */
export type StillFails = (schedule: Int32Array) => boolean;

/** More runs than this are not tried: a library at 3 ms a run is done within 15 s. */
const MAX_RUNS = 5_000;

/** Of schedules that are still this long, pairs of events are tried as well. */
const MAX_EVENTS_FOR_PAIRS = 16;

export interface Shrunk {
  schedule: Int32Array;
  /** It ended before it was minimal: out of time, or of runs. */
  wasCutShort: boolean;
}

/**
 * Shrinks a failing schedule to a locally minimal one: no event (and no pair of events) can be left out, no argument
 * made smaller, without losing the failure. Deterministic, unless it is ended early. Delta debugging after Zeller and
 * Hildebrandt, 2002, on the events, then arguments and header.
 * @param isOver asked before every run: whether to end with what there is
 */
export function shrink(
  schedule: Int32Array,
  regions: number,
  stillFails: StillFails,
  isOver: () => boolean = () => false,
): Shrunk {
  const attempts = new Attempts(stillFails, isOver);
  let current = toParts(schedule);
  for (let before = ""; before !== key(current) && attempts.left > 0; ) {
    before = key(current);
    current = removeChunks(current, attempts);
    current = simplifyEvents(current, attempts);
    current = simplifyHeader(current, attempts);
    current = rotateRegions(current, attempts, regions);
    if (key(current) === before) current = removePairs(current, attempts);
    if (key(current) === before) current = removeWithStandIn(current, attempts);
  }
  return { schedule: toSchedule(current), wasCutShort: attempts.wasCutShort };
}

interface Parts {
  readonly header: readonly number[];
  readonly events: readonly (readonly number[])[];
}

const key = ({ header, events }: Parts): string => `${header.join()};${events.join(";")}`;

/** Asks once per schedule, and no more often than is allowed. */
class Attempts {
  left = MAX_RUNS;
  wasCutShort = false;
  private readonly stillFails: StillFails;
  private readonly isOver: () => boolean;
  private readonly answers = new Map<string, boolean>();

  constructor(stillFails: StillFails, isOver: () => boolean) {
    this.stillFails = stillFails;
    this.isOver = isOver;
  }

  fails(parts: Parts): boolean {
    const text = key(parts);
    const known = this.answers.get(text);
    if (known !== undefined) return known;
    if (this.left > 0 && this.isOver()) this.left = 0;
    if (this.left === 0) {
      this.wasCutShort = true;
      return false;
    }
    this.left--;
    const answer = this.stillFails(toSchedule(parts));
    this.answers.set(text, answer);
    return answer;
  }
}

function removeChunks(parts: Parts, attempts: Attempts): Parts {
  let current = parts;
  for (let size = Math.ceil(current.events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end, since later events depend on earlier ones.
    for (let end = current.events.length; end > 0; ) {
      const start = Math.max(0, end - size);
      const candidate = { ...current, events: [...current.events.slice(0, start), ...current.events.slice(end)] };
      if (attempts.fails(candidate)) current = candidate;
      end = start;
    }
  }
  return current;
}

function removePairs(parts: Parts, attempts: Attempts): Parts {
  const { events } = parts;
  if (events.length > MAX_EVENTS_FOR_PAIRS) return parts;
  for (let first = events.length - 2; first >= 0; first--) {
    for (let second = events.length - 1; second > first; second--) {
      const candidate = { ...parts, events: events.filter((_, index) => index !== first && index !== second) };
      if (attempts.fails(candidate)) return candidate;
    }
  }
  return parts;
}

/** What may do the work of two events: a message that comes again, or another one that comes. */
const STAND_INS: readonly (readonly number[])[] = [
  [KIND.again, 0, 0, 0],
  [KIND.deliver, 0, 0, 0],
  [KIND.deliver, 1, 0, 0],
  [KIND.deliver, 2, 0, 0],
];

/** Leaves out one event and puts a stand-in in the place of another. */
function removeWithStandIn(parts: Parts, attempts: Attempts): Parts {
  const { events } = parts;
  if (events.length > MAX_EVENTS_FOR_PAIRS) return parts;
  for (let removed = events.length - 1; removed >= 0; removed--) {
    for (let replaced = events.length - 1; replaced >= 0; replaced--) {
      if (replaced === removed) continue;
      for (const standIn of STAND_INS) {
        const candidate = { ...parts, events: events.with(replaced, standIn).toSpliced(removed, 1) };
        if (attempts.fails(candidate)) return candidate;
      }
    }
  }
  return parts;
}

function simplifyEvents(parts: Parts, attempts: Attempts): Parts {
  let current = parts;
  for (let index = 0; index < current.events.length; index++) {
    for (let argument = 1; argument < STRIDE; argument++) {
      const event = current.events[index]!;
      for (const value of simpler(event, argument)) {
        const changed = event.with(argument, value);
        const candidate = { ...current, events: current.events.with(index, changed) };
        if (!attempts.fails(candidate)) continue;
        current = candidate;
        break;
      }
    }
  }
  return current;
}

/** Smaller arguments worth a try, the simplest first. Nothing that is chosen from is larger than this, as a rule. */
function simpler(event: readonly number[], argument: number): readonly number[] {
  return Array.from({ length: Math.min(event[argument]!, 36) }, (_, candidate) => candidate);
}

/** Kinds whose first argument is a region; peers are counted from it, so that turning all of them keeps the pattern. */
const OF_A_REGION: ReadonlySet<number> = new Set(
  (["operation", "clock", "send", "cut", "restart", "amnesia", "collect"] as const).map((kind) => KIND[kind]),
);

/** How many ways of the final exchange are tried with each turn: the orders in it hang on the regions. */
const FINISHES = 16;

/** Lets the schedule begin in an earlier region. */
function rotateRegions(parts: Parts, attempts: Attempts, regions: number): Parts {
  const first = (parts.events.find(([kind]) => OF_A_REGION.has(kind!))?.[1] ?? 0) % regions;
  for (let start = 0; start < first; start++) {
    const turn = (event: readonly number[]) =>
      OF_A_REGION.has(event[0]!) ? event.with(1, (event[1]! + regions - first + start) % regions) : event;
    const turned = { ...parts, events: parts.events.map(turn) };
    for (let finish = 0; finish < FINISHES; finish++) {
      const candidate = { ...turned, header: turned.header.with(HEAD.finish, finish) };
      if (attempts.fails(candidate)) return candidate;
    }
  }
  return parts;
}

function simplifyHeader(parts: Parts, attempts: Attempts): Parts {
  let current = parts;
  for (let position = 0; position < HEADER; position++) {
    for (let value = 0; value < Math.min(current.header[position]!, 32); value++) {
      const candidate = { ...current, header: current.header.with(position, value) };
      if (!attempts.fails(candidate)) continue;
      current = candidate;
      break;
    }
  }
  return current;
}

function toParts(schedule: Int32Array): Parts {
  const events: number[][] = [];
  for (let at = HEADER; at < schedule.length; at += STRIDE) events.push(Array.from(schedule.subarray(at, at + STRIDE)));
  return { header: Array.from(schedule.subarray(0, HEADER)), events };
}

function toSchedule({ header, events }: Parts): Int32Array {
  return Int32Array.from([...header, ...events.flat()]);
}
