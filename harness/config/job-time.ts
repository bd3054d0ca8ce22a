import type { JobTime } from "../contracts/lock-plan.ts";
import { formatDurationMs, LONGEST_MS, parseDurationMs, UnitError } from "./units.ts";

/** A job time as written: recorded values are still in their file. */
export type WrittenJobTime = Exclude<JobTime, { kind: "recorded" }> | { kind: "recorded"; file: string };

const howTo = "write constant(3s), lognormal(p50=650ms, p99=4s, max=3s) or recorded(FILE).";

/** `constant(3s)`, `3s`, `lognormal(p50=..., p99=..., max=...)`, `recorded(file)`. Throws `UnitError`. */
export function parseJobTime(text: string): WrittenJobTime {
  const [, kind = "", inner = ""] = /^\s*([a-z]+)\s*\((.*)\)\s*$/is.exec(text) ?? [];
  if (kind === "") {
    if (/^[\d.]/.test(text.trim())) return { kind: "constant", ms: parseDurationMs(text) };
    throw new UnitError(`"${text}" is no distribution of job times; ${howTo}`);
  }
  if (kind === "constant") return { kind, ms: parseDurationMs(inner) };
  if (kind === "recorded") return { kind, file: recordedFile(inner) };
  if (kind === "lognormal") return lognormal(text, inner);
  throw new UnitError(`"${text}": there is no distribution "${kind}"; ${howTo}`);
}

export function formatJobTime(time: WrittenJobTime | JobTime): string {
  if (time.kind === "constant") return `constant(${formatDurationMs(time.ms)})`;
  if (time.kind === "recorded") {
    return "file" in time ? `recorded(${time.file})` : `recorded(${time.valuesMs.length} values)`;
  }
  const [p50, p99, max] = [time.p50Ms, time.p99Ms, time.maxMs].map((ms) => formatDurationMs(ms));
  return `lognormal(p50=${p50}, p99=${p99}, max=${max})`;
}

/** Recorded job times: one duration a line (a bare number is ms), or a JSON array of numbers in ms. */
export function parseRecordedMs(contents: string): number[] {
  const text = contents.trim();
  const values = text.startsWith("[")
    ? jsonNumbers(text)
    : text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => (/^\d+(\.\d+)?$/.test(line) ? Number(line) : parseDurationMs(line)));
  if (values.length === 0) throw new UnitError("there is no job time in it.");
  const bad = values.find((value) => !(value >= 0));
  if (bad !== undefined) throw new UnitError(`${bad} is no job time.`);
  const long = values.find((value) => value > LONGEST_MS);
  if (long !== undefined) {
    throw new UnitError(
      `${formatDurationMs(long)} is too long for a job: the longest is ${formatDurationMs(LONGEST_MS)}.`,
    );
  }
  return values;
}

/** The longest job that a distribution gives, ms. */
export function longestJobMs(time: JobTime): number {
  if (time.kind === "constant") return time.ms;
  return time.kind === "lognormal" ? time.maxMs : time.valuesMs.reduce((most, value) => Math.max(most, value), 0);
}

function lognormal(text: string, inner: string): WrittenJobTime {
  const given = new Map<string, number>();
  for (const piece of inner.split(",")) {
    const [, name = "", value = ""] = /^\s*([a-z0-9]+)\s*=\s*(.+)$/i.exec(piece) ?? [];
    if (!["p50", "p99", "max"].includes(name)) {
      throw new UnitError(`"${piece.trim()}" in "${text}": lognormal takes p50=, p99= and max=.`);
    }
    given.set(name, parseDurationMs(value));
  }
  const p50Ms = given.get("p50");
  const p99Ms = given.get("p99");
  if (p50Ms === undefined || p99Ms === undefined) throw new UnitError(`"${text}": lognormal needs p50= and p99=.`);
  const maxMs = given.get("max") ?? 2 * p99Ms;
  if (!(p50Ms > 0 && p99Ms > p50Ms)) throw new UnitError(`"${text}": p99 must be greater than p50, and p50 than 0.`);
  if (maxMs < p50Ms) throw new UnitError(`"${text}": max cuts more than half of the jobs; it must be at least p50.`);
  return { kind: "lognormal", p50Ms, p99Ms, maxMs };
}

function recordedFile(inner: string): string {
  const file = inner.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (file === "") throw new UnitError("recorded() needs a file: recorded(job-times.txt).");
  return file;
}

function jsonNumbers(text: string): number[] {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value) && value.every((entry): entry is number => typeof entry === "number")) return value;
  throw new UnitError("it must hold an array of numbers, in ms.");
}
