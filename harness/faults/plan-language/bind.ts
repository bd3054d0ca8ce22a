import { didYouMean } from "../../config/nearest.ts";
import { parseDurationMs, parseInteger, UnitError } from "../../config/units.ts";
import type { FaultDescription, FaultParameters } from "../../contracts/fault.ts";
import { readParameter } from "./parameter.ts";
import { type FaultEntry, unquote } from "./parse.ts";
import { type Piece, planError } from "./source.ts";
import {
  defaultTargets,
  linksBetween,
  readEndpoints,
  readTargets,
  type TargetCounts,
  type TargetTerm,
} from "./target.ts";

/** A fault as meant: names resolved, values in canonical units; choices and repetitions are still open. */
export interface FaultSpec {
  fault: FaultDescription;
  parameters: FaultParameters;
  timing: { kind: "at"; atMs: number; everyMs?: number } | EventTiming;
  /** Absent: to the end of the round, or, for faults at one instant, nothing. */
  forMs?: number;
  targets: readonly TargetTerm[];
  /** Where the entry stands, and the piece to point at for its times. */
  at: { name: Piece; timing: Piece; target: Piece };
}

type EventName = "grant" | "extend" | "release" | "effect" | "command";

export interface EventTiming {
  kind: "on";
  event: EventName;
  nth: number;
  afterMs: number;
  command?: string;
  keyPattern?: string;
}

const events: readonly EventName[] = ["grant", "extend", "release", "effect", "command"];
const ownWords = ["at", "every", "for", "on", "nth", "after", "target"] as const;
type OwnWord = (typeof ownWords)[number];

/** The fault that an entry names, or an error that points at it and shows the nearest name. */
export function faultOf(
  name: Piece,
  faults: readonly FaultDescription[],
  otherNames: readonly string[],
): FaultDescription {
  const found = faults.find((fault) => fault.name === name.text || fault.aliases?.includes(name.text));
  if (found) return found;
  const names = faults.flatMap((fault) => [fault.name, ...(fault.aliases ?? [])]);
  throw planError(name, `there is no fault "${name.text}".${didYouMean(name.text, [...names, ...otherNames])}`);
}

/** Understands one entry of a plan. Throws `UsageError` that points at the piece that is wrong. */
export function bindEntry(entry: FaultEntry, fault: FaultDescription, counts: TargetCounts): FaultSpec {
  const words = new Map<OwnWord, Piece>();
  const given = new Map<string, Piece>();
  for (const { name, value } of entry.arguments) {
    if (given.has(name.text)) throw planError(name, `${name.text} is given twice.`);
    given.set(name.text, value);
    // A fault's own parameter goes before the word of the language (`nth` of reset-after-apply).
    if (Object.hasOwn(fault.parameters, name.text)) continue;
    const word = ownWords.find((candidate) => candidate === name.text);
    if (!word) {
      const known = [...Object.keys(fault.parameters), ...ownWords];
      throw planError(name, `${fault.name} has no parameter "${name.text}".${didYouMean(name.text, known)}`);
    }
    words.set(word, value);
  }
  const forPiece = words.get("for");
  if (forPiece && !fault.lasts) {
    throw planError(forPiece, `${fault.name} happens at one instant and takes no for=.`);
  }
  const sides = Object.entries(fault.parameters)
    .filter(([name, { type }]) => type === "endpoints" && given.has(name))
    .map(([name]) => given.get(name) as Piece);
  const target = words.get("target");
  if (target && sides.length > 0) throw planError(target, "the sides are named already: leave out target=.");
  const timingPiece = words.get("at") ?? words.get("every") ?? words.get("on") ?? forPiece ?? entry.name;
  return {
    fault,
    parameters: readParameters(entry, fault, given, counts),
    timing: readTiming(words),
    ...(forPiece ? { forMs: positive(forPiece) } : {}),
    targets: target
      ? readTargets(target, fault, counts)
      : (betweenSides(sides, counts) ?? defaultTargets(fault, counts)),
    at: { name: entry.name, timing: timingPiece, target: target ?? entry.name },
  };
}

function betweenSides([a, b]: readonly Piece[], counts: TargetCounts): TargetTerm[] | undefined {
  return a && b && linksBetween(readEndpoints(a, counts).ends, readEndpoints(b, counts).ends);
}

function readParameters(
  entry: FaultEntry,
  fault: FaultDescription,
  given: ReadonlyMap<string, Piece>,
  counts: TargetCounts,
): FaultParameters {
  const values: Record<string, number | string> = {};
  for (const [name, parameter] of Object.entries(fault.parameters)) {
    const piece = given.get(name);
    if (piece && parameter.needs !== undefined && !given.has(parameter.needs)) {
      throw planError(piece, `${name}= needs ${parameter.needs}= beside it.`);
    }
    if (piece && parameter.excludes !== undefined && given.has(parameter.excludes)) {
      throw planError(piece, `${name}= and ${parameter.excludes}= say the same thing twice: leave one of them out.`);
    }
    if (piece && parameter.type === "endpoints") values[name] = readEndpoints(piece, counts).names.join("+");
    else if (piece) values[name] = pointing(piece, () => readParameter(parameter, piece.text));
    else if (parameter.default !== undefined) values[name] = readParameter(parameter, parameter.default);
    else if (parameter.required) {
      throw planError(entry.name, `${fault.name} needs ${name}=: ${parameter.summary}.`);
    }
  }
  for (const [name, { atLeast }] of Object.entries(fault.parameters)) {
    const piece = given.get(name);
    if (!piece || atLeast === undefined || Number(values[name]) >= Number(values[atLeast] ?? 0)) continue;
    throw planError(piece, `${name}= must not be less than ${atLeast}=, which is ${given.get(atLeast)?.text}.`);
  }
  return values;
}

function readTiming(words: ReadonlyMap<OwnWord, Piece>): FaultSpec["timing"] {
  const on = words.get("on");
  if (on) {
    const clash = words.get("at") ?? words.get("every");
    if (clash)
      throw planError(clash, "a fault starts at a time or on an event, not both: leave out at=, every= or on=.");
    const { nth: counted, ...event } = readEvent(on);
    const nth = words.get("nth");
    const after = words.get("after");
    return {
      kind: "on",
      ...event,
      nth: nth ? pointing(nth, () => atLeastOne(parseInteger(nth.text))) : counted,
      afterMs: after ? pointing(after, () => parseDurationMs(after.text)) : 0,
    };
  }
  const stray = words.get("nth") ?? words.get("after");
  if (stray) throw planError(stray, "nth= and after= count from an event: add on=grant or another.");
  const at = words.get("at");
  const every = words.get("every");
  const everyMs = every && positive(every);
  const atMs = at ? pointing(at, () => parseDurationMs(at.text)) : (everyMs ?? 0);
  return { kind: "at", atMs, ...(everyMs === undefined ? {} : { everyMs }) };
}

/** `grant`, `command(SET, "lock:*")`; `grant#3` is the third, for faults whose own parameter is called nth. */
function readEvent(piece: Piece): Omit<EventTiming, "kind" | "afterMs"> {
  const [, name = "", inner, count = "1"] = /^([a-z]+)\s*(?:\((.*)\))?(?:#(\d+))?$/is.exec(piece.text) ?? [];
  const nth = pointing(piece, () => atLeastOne(parseInteger(count)));
  const event = events.find((candidate) => candidate === name.toLowerCase());
  if (!event) throw planError(piece, `there is no event "${piece.text}".${didYouMean(name || piece.text, events)}`);
  if (event !== "command") {
    if (inner !== undefined) throw planError(piece, `the event ${event} takes nothing in parentheses.`);
    return { event, nth };
  }
  const [command = "", ...rest] = (inner ?? "").split(",");
  if (command.trim() === "")
    throw planError(piece, 'which command? Write on=command(SET) or on=command(SET, "lock:*").');
  const keyPattern = unquote(rest.join(","));
  return { event, nth, command: command.trim().toUpperCase(), ...(keyPattern === "" ? {} : { keyPattern }) };
}

function positive(piece: Piece): number {
  const ms = pointing(piece, () => parseDurationMs(piece.text));
  if (ms <= 0) throw planError(piece, "it must be longer than 0.");
  return ms;
}

function atLeastOne(value: number): number {
  if (value < 1) throw new UnitError(`${value} is too small: counting starts at 1.`);
  return value;
}

function pointing<Value>(piece: Piece, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnitError) throw planError(piece, error.message);
    throw error;
  }
}
