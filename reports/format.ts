/** Numbers for people: thousands separated by commas, units always said, no figure pretended where there is none. */

export const nothing = "–";

/** 1234567 -> "1,234,567"; at most `digits` decimals. */
export function formatNumber(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** A latency in ms with two to three significant digits: "0.62 ms", "23.4 ms", "2.03 s". */
export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return nothing;
  if (ms === 0) return "0 ms";
  const size = Math.abs(ms);
  if (size < 0.1) return `${formatNumber(ms * 1000, size < 0.01 ? 1 : 0)} µs`;
  if (size < 10) return `${ms.toFixed(2)} ms`;
  if (size < 100) return `${ms.toFixed(1)} ms`;
  if (size < 1000) return `${ms.toFixed(0)} ms`;
  return formatDuration(ms);
}

/** A span of time in the largest unit that reads well: "15 s", "2.03 s", "1 min 30 s", "72 h". */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return nothing;
  if (Math.abs(ms) < 1000) return ms === 0 ? "0 ms" : formatMs(ms);
  if (Math.abs(ms) < 60_000) return `${trimZeros((ms / 1000).toFixed(2))} s`;
  const totalSeconds = Math.round(ms / 1000);
  const hours = Math.floor(totalSeconds / 3600);
  const minutes = Math.floor((totalSeconds % 3600) / 60);
  const seconds = totalSeconds % 60;
  return [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, seconds > 0 && `${seconds} s`]
    .filter(Boolean)
    .join(" ");
}

/** How long a run took. One that was killed early never came to say. */
export function formatLength(durationMs: number): string {
  return durationMs === 0 ? "of unknown length" : `${formatDuration(durationMs)} in all`;
}

/** A share from 0 to 1 as per cent: 0.117 -> "11.7 %"; tiny ones keep two significant digits: "0.0058 %". */
export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return nothing;
  const percent = share * 100;
  if (percent === 0) return "0 %";
  if (Math.abs(percent) >= 1) return `${percent === 100 ? "100" : percent.toFixed(1)} %`;
  const digits = Math.min(9, 1 - Math.floor(Math.log10(Math.abs(percent))));
  return `${trimZeros(percent.toFixed(digits))} %`;
}

/** A relative change with its sign: -0.017 -> "−1.7 %". */
export function formatChange(ratioMinusOne: number): string {
  const percent = Math.abs(ratioMinusOne * 100);
  const text = `${percent >= 99.95 ? formatNumber(percent, 0) : percent.toFixed(1)} %`;
  if (text === "0.0 %") return "±0.0 %";
  return `${ratioMinusOne < 0 ? "−" : "+"}${text}`;
}

/** "1 job", "2 jobs", "1,200 jobs". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** 2026-01-31T12:00:05.123Z -> "2026-01-31 12:00:05 UTC". */
export function formatInstant(iso: string): string {
  return iso.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/** "a", "a and b", "a, b and c". */
export function enumerate(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
