import { UsageError } from "../errors.ts";
import { whatIs } from "./stored-document.ts";

/** The version of results that this build writes. */
const RESULT_VERSION = 1;

/** Turns a result of version n into one of version n + 1. */
export type Upgrader = (result: Record<string, unknown>) => Record<string, unknown>;

/** By the version that they take. Version 1 is the first: nothing to upgrade yet. */
export const upgraders: Readonly<Record<number, Upgrader>> = {};

/**
 * Brings a result of an older version to the present one, step by step. A newer one is refused.
 * @param source where it came from, for the message
 */
export function upgrade(
  value: unknown,
  source: string,
  { steps = upgraders, version = RESULT_VERSION }: { steps?: typeof upgraders; version?: number } = {},
): unknown {
  let result = value;
  for (let from = versionOf(result, source); from < version; from += 1) {
    const step = steps[from];
    if (!step) throw new UsageError(`${source} is a result of version ${from}, which can no longer be read.`);
    result = { ...step(result as Record<string, unknown>), schema: `harness.result/${from + 1}` };
  }
  const now = versionOf(result, source);
  if (now > version) {
    throw new UsageError(
      `${source} is a result of version ${now}; this build reads up to version ${version}. Read it with the holdfast that wrote it, or a newer one.`,
      { code: "NEWER_RESULT" },
    );
  }
  return result;
}

function versionOf(value: unknown, source: string): number {
  const schema = typeof value === "object" && value !== null && "schema" in value ? value.schema : undefined;
  const version = typeof schema === "string" ? /^harness\.result\/(\d+)$/.exec(schema)?.[1] : undefined;
  if (version === undefined) {
    throw new UsageError(
      `${source} is no result: it is ${whatIs(value)}. Give the folder of a run, or its result.json.`,
      { code: "BAD_RESULT" },
    );
  }
  return Number(version);
}
