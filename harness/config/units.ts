/**
 * Values with units, as users write them. Every parser gives the canonical unit that its name states and throws
 * `UnitError` with a message that names the value and a valid way to write it.
 */
export class UnitError extends Error {}

const milliseconds: Readonly<Record<string, number>> = {
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 60e3,
  min: 60e3,
  h: 3_600e3,
  d: 86_400e3,
};

const bytes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

const perMinute: Readonly<Record<string, number>> = { s: 60, sec: 60, min: 1, m: 1, h: 1 / 60 };

/**
 * The longest duration that is taken, ms: 6 days. The sum of four of them, such as TTL + 2 x visibility + job time, is still
 * within what a timer takes, 2^31 - 1 ms.
 */
export const LONGEST_MS = 6 * 86_400e3;

/** How far a clock may be moved, ms either way: ten years, within which every program's idea of a date still holds. */
export const FURTHEST_MS = 3_650 * 86_400e3;

const quantity = /^([+-]?)(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)\s*([a-zµ]*)$/iu;

/** `250us`, `0.2ms`, `15s`, `72h` -> ms. A bare number is refused (but for 0), a sign only taken when `signed`. */
export function parseDurationMs(text: string, options: { signed?: boolean } = {}): number {
  const ms = readDurationMs(text, options);
  if (!options.signed && ms > LONGEST_MS) {
    throw new UnitError(`"${text}" is too long: the longest is ${formatDurationMs(LONGEST_MS)}.`);
  }
  if (Math.abs(ms) > FURTHEST_MS) {
    throw new UnitError(
      `"${text}" is too far: the furthest is ${formatDurationMs(FURTHEST_MS)} either way, ten years.`,
    );
  }
  return ms;
}

function readDurationMs(text: string, { signed = false }: { signed?: boolean } = {}): number {
  const [, sign = "", number = "", unit = ""] = quantity.exec(text.trim()) ?? [];
  if (number === "") throw new UnitError(`"${text}" is no duration; write one such as ${signed ? "+60s" : "15s"}.`);
  if (sign !== "" && !signed) throw new UnitError(`"${text}": a duration here has no sign; write ${number}${unit}.`);
  if (unit === "" && Number(number) !== 0) {
    throw new UnitError(`"${text}" has no unit; write ${sign}${number}s or ${sign}${number}ms.`);
  }
  const factor = unit === "" ? 1 : milliseconds[unit.toLowerCase()];
  if (factor === undefined) {
    throw new UnitError(`"${text}": there is no unit "${unit}"; the units are us, ms, s, min, h and d.`);
  }
  const value = scale(Number(number), factor);
  return sign === "-" && value !== 0 ? -value : value;
}

/** ms -> the shortest way to write it that parses back to the same number. */
export function formatDurationMs(ms: number, { signed = false }: { signed?: boolean } = {}): string {
  const absolute = Math.abs(ms);
  const sign = ms < 0 ? "-" : signed ? "+" : "";
  if (absolute === 0) return `${sign}0s`;
  for (const unit of ["h", "min", "s", "ms", "us"]) {
    const factor = milliseconds[unit] ?? 1;
    const count = unit === "us" ? absolute * 1e3 : absolute / factor;
    // Hours and minutes only where they come out whole: 90s is read more easily than 1.5min.
    if (count < (unit === "min" ? 2 : 1) || (factor >= 60e3 && !Number.isInteger(count))) continue;
    const text = `${String(count)}${unit}`;
    if (text.length <= 9 && readDurationMs(text) === absolute) return sign + text;
  }
  return `${sign}${String(absolute)}ms`;
}

/** Jobs per minute: 100,000 a second, more than one machine can send. */
const HIGHEST_RATE = 6_000_000;

/** Jobs per minute, or `max`: as fast as it goes. */
export type Rate = { perMinute: number } | "max";

/** `1200` (a minute), `20/s`, `1200/min`, `72000/h`, `max`. */
export function parseRate(text: string): Rate {
  const written = text.trim().toLowerCase();
  if (written === "max") return "max";
  const [, number = "", unit = "min"] = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s*\/\s*([a-z]+))?$/.exec(written) ?? [];
  const factor = perMinute[unit];
  if (number === "" || factor === undefined) {
    throw new UnitError(`"${text}" is no rate; write 1200 (a minute), 20/s, 1200/min or max.`);
  }
  const rate = unit === "h" ? Number(number) / 60 : Number(number) * factor;
  if (rate <= 0) throw new UnitError(`"${text}": the rate must be greater than 0.`);
  if (rate > HIGHEST_RATE) throw new UnitError(`"${text}" is too high: the highest rate is ${HIGHEST_RATE / 60}/s.`);
  return { perMinute: rate };
}

export function formatRate(rate: Rate): string {
  if (rate === "max") return "max";
  return Number.isInteger(rate.perMinute) ? `${rate.perMinute}/min` : `${String(rate.perMinute / 60)}/s`;
}

/** `512`, `64KB` (1,000 bytes each), `1MiB` (1,024 x 1,024) -> bytes. */
export function parseSizeBytes(text: string): number {
  const [, sign = "", number = "", unit = ""] = quantity.exec(text.trim()) ?? [];
  const factor = unit === "" ? 1 : bytes[unit.toLowerCase()];
  if (number === "" || sign !== "" || factor === undefined) {
    throw new UnitError(`"${text}" is no size; write one such as 512B, 64KB or 1MiB.`);
  }
  return Number(number) * factor;
}

/** `64KB/s` -> bytes per second. */
export function parseBytesPerSecond(text: string): number {
  const [, size] = /^(.*)\/\s*s$/i.exec(text.trim()) ?? [];
  if (size === undefined) throw new UnitError(`"${text}" is no data rate; write one such as 64KB/s.`);
  return parseSizeBytes(size);
}

export function formatSizeBytes(size: number): string {
  for (const [unit, factor] of [
    ["GB", 1e9],
    ["MB", 1e6],
    ["KB", 1e3],
  ] as const) {
    const text = `${String(size / factor)}${unit}`;
    if (size >= factor && text.length <= 8 && parseSizeBytes(text) === size) return text;
  }
  return `${String(size)}B`;
}

export const formatBytesPerSecond = (rate: number): string => `${formatSizeBytes(rate)}/s`;

/** `0.3` or `30%` -> 0 to 1. */
export function parseProbability(text: string): number {
  const [, number = "", percent = ""] = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)\s*(%?)$/i.exec(text.trim()) ?? [];
  const value = Number(number) / (percent === "%" ? 100 : 1);
  if (number === "" || value > 1) {
    throw new UnitError(`"${text}" is no probability; write a number from 0 to 1, such as 0.3, or 30%.`);
  }
  return value;
}

export function parseNumber(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UnitError(`"${text}" is no number.`);
  return value;
}

export function parseInteger(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text.trim()) || !Number.isSafeInteger(value)) {
    throw new UnitError(`"${text}" is no whole number.`);
  }
  return value;
}

/** Division by the reciprocal keeps decimal fractions exact where multiplication would not: 250us is 0.25 ms. */
const scale = (value: number, factor: number): number => (factor < 1 ? value / Math.round(1 / factor) : value * factor);
