import { parseRedisUrl } from "../redis/redis-url.ts";
import { parseJobTime, type WrittenJobTime } from "./job-time.ts";
import { didYouMean } from "./nearest.ts";
import type { ValueType } from "./option.ts";
import { formatDurationMs, parseDurationMs, parseInteger, parseRate, type Rate, UnitError } from "./units.ts";

/** A duration in ms. `positive`: greater than 0. */
export function duration({ positive = true }: { positive?: boolean } = {}): ValueType<number> {
  return {
    argument: "DURATION",
    parse(text) {
      const ms = parseDurationMs(text);
      if (positive && ms <= 0) throw new UnitError(`${formatDurationMs(ms)} is too short: it must be greater than 0.`);
      return ms;
    },
  };
}

/** A whole number from `min` to `max`. */
export function whole({ min = 1, max = 1_000_000_000_000 }: { min?: number; max?: number } = {}): ValueType<number> {
  return {
    argument: "N",
    parse(text) {
      const value = parseInteger(text);
      if (value < min) throw new UnitError(`${value} is too small: the least is ${min}.`);
      if (value > max) throw new UnitError(`${value} is too great: the most is ${max}.`);
      return value;
    },
  };
}

/** One of a few words. */
export function oneOf<const Choice extends string>(...choices: readonly Choice[]): ValueType<Choice> {
  return {
    argument: choices.join("|"),
    choices,
    parse(text) {
      const chosen = choices.find((choice) => choice === text.trim());
      if (chosen === undefined) throw new UnitError(`"${text}" is no choice.${didYouMean(text, choices)}`);
      return chosen;
    },
  };
}

/** Any text that is not empty. */
export function text(argument: string): ValueType<string> {
  return {
    argument,
    parse(written) {
      if (written.trim() === "") throw new UnitError("it is empty.");
      return written.trim();
    },
  };
}

/** A name without spaces or punctuation other than `-`, `_` and `.`. */
export const word: ValueType<string> = {
  argument: "NAME",
  parse(written) {
    if (!/^[\w.-]+$/.test(written.trim()))
      throw new UnitError(`"${written}" is no name: use letters, digits, - _ and .`);
    return written.trim();
  },
};

/** `10.0.0.1:7070`, `[fd00::1]:7070`. */
export const address: ValueType<{ host: string; port: number }> = {
  argument: "HOST:PORT",
  parse(written) {
    const [, bracketed, plain, port = ""] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d+)$/.exec(written.trim()) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new UnitError(`"${written}" is no address; write 10.0.0.1:7070.`);
    }
    return { host, port: Number(port) };
  },
};

export const rate: ValueType<Rate> = { argument: "RATE", parse: parseRate };

export const jobTime: ValueType<WrittenJobTime> = { argument: "DISTRIBUTION", parse: parseJobTime };

/** The seed of everything random: a whole number of 32 bits, so that it is short to paste. */
export const seed: ValueType<number> = whole({ min: 0, max: 0xffff_ffff });

/** How many keys the jobs share; `per-job` gives each its own. */
export const keys: ValueType<number | "per-job"> = {
  argument: "N",
  parse: (written) => (written.trim() === "per-job" ? "per-job" : whole().parse(written)),
};

/** The address of a Redis server, checked and kept as text. */
export const redisUrl: ValueType<string> = {
  argument: "URL",
  parse(written) {
    parseRedisUrl(written);
    return written.trim();
  },
};

/** The address of an HTTP server; without a scheme, http. */
export const httpUrl: ValueType<string> = {
  argument: "URL",
  parse(written) {
    const text = written.trim();
    const isUrl = /^https?:\/\//i.test(text);
    const address = isUrl ? text : `http://${text}`;
    // A bare word would pass as the name of a host.
    const isAddress = isUrl || /^(\[[\da-f:]+\]|[\w.-]+):\d+\/?$/i.test(text);
    if (!isAddress || !URL.canParse(address)) {
      throw new UnitError(`"${written}" is no address; write one such as http://127.0.0.1:8474.`);
    }
    return new URL(address).origin;
  },
};

/** `2/5`: the second of five parts. Counted from 0 in code. */
export const shard: ValueType<{ index: number; count: number }> = {
  argument: "I/N",
  parse(written) {
    const [, part = "", of = ""] = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(written) ?? [];
    const [number, count] = [Number(part), Number(of)];
    if (part === "" || number < 1 || count < 1 || number > count) {
      throw new UnitError(`"${written}" is no part; write 2/5 for the second of five.`);
    }
    return { index: number - 1, count };
  },
};

/** A JSON object. */
export const crdtArguments: ValueType<Readonly<Record<string, unknown>>> = {
  argument: "JSON",
  parse(written) {
    let value: unknown;
    try {
      value = JSON.parse(written);
    } catch {
      value = undefined;
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new UnitError(`${written} is no JSON object; write one such as '{"maxDriftMs":300000}'.`);
  },
};
