import { didYouMean } from "../../config/nearest.ts";
import { parseDurationMs, parseInteger, UnitError } from "../../config/units.ts";
import type { FaultDescription, FaultParameter, FaultParameters } from "../../contracts/fault.ts";
import type { RandomStream } from "../../random-stream.ts";
import { faultOf } from "./bind.ts";
import { readParameter } from "./parameter.ts";
import type { FaultEntry } from "./parse.ts";
import { type Piece, pieceOf, planError } from "./source.ts";

/** `random(faults=3, of=redis-pause+worker-stop, longest=1s)`: faults that the seed decides. */
export interface RandomSpec {
  kind: "random";
  count: number;
  of: readonly FaultDescription[];
  /** Absent: a third of the round. */
  longestMs?: number;
  name: Piece;
}

const words = ["faults", "of", "longest"];

export function bindRandom(entry: FaultEntry, faults: readonly FaultDescription[]): RandomSpec {
  const given = new Map<string, Piece>();
  for (const { name, value } of entry.arguments) {
    if (!words.includes(name.text)) {
      throw planError(name, `random has no parameter "${name.text}".${didYouMean(name.text, words)}`);
    }
    given.set(name.text, value);
  }
  const of = given.get("of");
  const chosen = of ? namedFaults(of, faults) : faults.filter(isDrawable);
  const count = read(given.get("faults"), (text) => positive(parseInteger(text), text)) ?? 3;
  const longestMs = read(given.get("longest"), (text) => positive(parseDurationMs(text), text));
  return { kind: "random", count, of: chosen, ...(longestMs === undefined ? {} : { longestMs }), name: entry.name };
}

export interface DrawnFault {
  fault: FaultDescription;
  parameters: FaultParameters;
  atMs: number;
  forMs?: number;
}

/** Draws one fault that fits into the round. Times lie on a grid of 10 ms, so that they are short to read. */
export function drawFault(spec: RandomSpec, roundMs: number, random: RandomStream): DrawnFault {
  const fault = random.pick(spec.of);
  const parameters = drawParameters(fault, random);
  if (!fault.lasts) return { fault, parameters, atMs: grid(random.float() * (roundMs - 10)) };
  const longestMs = Math.min(spec.longestMs ?? roundMs / 3, roundMs);
  const shortestMs = Math.min(50, longestMs);
  const forMs = Math.max(grid(shortestMs + random.float() * (longestMs - shortestMs)), Math.min(10, longestMs));
  return { fault, parameters, forMs, atMs: grid(random.float() * (roundMs - forMs)) };
}

/** Can values for its parameters be drawn? A name or a text cannot. */
function isDrawable({ parameters, needs }: FaultDescription): boolean {
  if (needs !== undefined) return false;
  const all = Object.values(parameters);
  if (all.some((parameter) => parameter.required && parameter.default === undefined && !hasRange(parameter)))
    return false;
  // A fault that only does something through an optional parameter needs one that can be drawn.
  return all.length === 0 || all.some((parameter) => parameter.default !== undefined || hasRange(parameter));
}

function drawParameters({ parameters }: FaultDescription, random: RandomStream): FaultParameters {
  const drawn: Record<string, number | string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const preset = parameter.default === undefined ? undefined : readParameter(parameter, parameter.default);
    // A delay of nothing would be a fault of nothing.
    if (preset === 0 && parameter.type === "duration") drawn[name] = drawValue(parameter, random);
    else if (preset !== undefined) drawn[name] = preset;
    else if (parameter.required) drawn[name] = drawValue(parameter, random);
  }
  const optional = Object.entries(parameters).find(([, parameter]) => hasRange(parameter));
  if (Object.keys(drawn).length === 0 && optional) drawn[optional[0]] = drawValue(optional[1], random);
  return drawn;
}

/** What is worth drawing from, in canonical units: wide enough to matter, short enough for a round of a few seconds. */
const ranges: Partial<Record<FaultParameter["type"], readonly [number, number]>> = {
  duration: [1, 200],
  "signed-duration": [-60_000, 60_000],
  probability: [0.1, 0.9],
  rate: [16_000, 1_000_000],
  size: [1_000, 64_000],
  integer: [1, 10],
  number: [0.5, 2],
};

const hasRange = ({ type }: FaultParameter): boolean => type === "enum" || ranges[type] !== undefined;

function drawValue({ type, values = [], min, max }: FaultParameter, random: RandomStream): number | string {
  if (type === "enum") return random.pick(values);
  const [least, most] = ranges[type] ?? [0, 1];
  const from = Math.min(Math.max(least, min ?? least), max ?? most);
  const to = Math.max(from, Math.min(most, max ?? most));
  const value = from + random.float() * (to - from);
  return type === "probability" || type === "number" ? Math.round(value * 100) / 100 : Math.round(value);
}

function namedFaults(piece: Piece, faults: readonly FaultDescription[]): FaultDescription[] {
  let offset = piece.start;
  return piece.text.split("+").map((written) => {
    const start = offset + (written.length - written.trimStart().length);
    offset += written.length + 1;
    const name = pieceOf(piece.source, start, start + written.trim().length, written.trim());
    const fault = faultOf(name, faults, []);
    if (!isDrawable(fault)) throw planError(name, `the parameters of ${fault.name} cannot be drawn; write it out.`);
    return fault;
  });
}

function positive(value: number, text: string): number {
  if (value <= 0) throw new UnitError(`${text} is too small.`);
  return value;
}

function read<Value>(piece: Piece | undefined, parse: (text: string) => Value): Value | undefined {
  if (!piece) return undefined;
  try {
    return parse(piece.text);
  } catch (error) {
    if (error instanceof UnitError) throw planError(piece, error.message);
    throw error;
  }
}

const grid = (ms: number): number => Math.max(0, Math.floor(ms / 10) * 10);
