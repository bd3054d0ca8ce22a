import { didYouMean } from "../../config/nearest.ts";
import {
  formatBytesPerSecond,
  formatDurationMs,
  formatSizeBytes,
  parseBytesPerSecond,
  parseDurationMs,
  parseInteger,
  parseNumber,
  parseProbability,
  parseSizeBytes,
  UnitError,
} from "../../config/units.ts";
import type { FaultParameter } from "../../contracts/fault.ts";
import { quoteIfNeeded } from "./parse.ts";
import { formatTargets } from "./target.ts";

/** Reads a parameter's value into its canonical unit. Throws `UnitError`. */
export function readParameter(parameter: FaultParameter, text: string): number | string {
  // Endpoints are checked and made explicit before they come here.
  if (parameter.type === "string" || parameter.type === "endpoints") return text;
  if (parameter.type === "enum") {
    const values = parameter.values ?? [];
    if (values.includes(text)) return text;
    throw new UnitError(`"${text}" is no choice.${didYouMean(text, values)}`);
  }
  const value = readNumber(parameter.type, text);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = parameter;
  if (value < min) throw new UnitError(`${text} is too small: the least is ${formatParameter(parameter, min)}.`);
  if (value > max) throw new UnitError(`${text} is too great: the most is ${formatParameter(parameter, max)}.`);
  return value;
}

/** Writes a value so that `readParameter` gives it back. */
export function formatParameter({ type }: FaultParameter, value: number | string): string {
  if (type === "endpoints") return formatTargets(String(value).split("+"));
  if (typeof value === "string") return quoteIfNeeded(value);
  if (type === "duration") return formatDurationMs(value);
  if (type === "signed-duration") return formatDurationMs(value, { signed: true });
  if (type === "size") return formatSizeBytes(value);
  if (type === "rate") return formatBytesPerSecond(value);
  return String(value);
}

function readNumber(type: Exclude<FaultParameter["type"], "string" | "enum" | "endpoints">, text: string): number {
  switch (type) {
    case "duration":
      return parseDurationMs(text);
    case "signed-duration":
      return parseDurationMs(text, { signed: true });
    case "size":
      return parseSizeBytes(text);
    case "rate":
      return parseBytesPerSecond(text);
    case "probability":
      return parseProbability(text);
    case "integer":
      return parseInteger(text);
    case "number":
      return parseNumber(text);
  }
}
