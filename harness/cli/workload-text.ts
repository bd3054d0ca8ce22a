import { splitList } from "../config/split-list.ts";
import { parseDurationMs, UnitError } from "../config/units.ts";

export type WorkloadOptions = Readonly<Record<string, string | number | boolean>>;

/** A workload as written: `set-nx`, `./my-lock.ts`, `my-lock.ts(retries=3, fast=true)`. */
export interface WorkloadText {
  /** A name from the registry, or a path. */
  place: string;
  isFile: boolean;
  options: WorkloadOptions;
}

/** Throws `UnitError` for options that are not name=value. */
export function parseWorkloadText(text: string): WorkloadText {
  const [, place = text, inner] = /^([^()]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  return {
    place: place.trim(),
    isFile: looksLikeFile(place.trim()),
    options: inner === undefined ? {} : readOptions(inner),
  };
}

const looksLikeFile = (place: string): boolean => /[/\\]/.test(place) || /\.[cm]?[jt]s$/.test(place);

function readOptions(inner: string): WorkloadOptions {
  const pairs = splitList(inner).map((pair) => {
    const [, key, value] = /^([A-Za-z_$][\w$-]*)\s*=\s*(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined) throw new UnitError(`"${pair}" is no option; write name=value.`);
    return [key, readValue(key, value.trim())] as const;
  });
  return Object.fromEntries(pairs);
}

/** An option that counts in ms (`renewEveryMs`) may be given with a unit: `renewEveryMs=2s`. */
function readValue(key: string, text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (/Ms$/.test(key)) return parseDurationMs(text);
  return text.replace(/^(["'])(.*)\1$/s, "$2");
}
