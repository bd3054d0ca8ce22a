import type { HistoryEvent } from "../contracts/history.ts";
import { OPERATIONS, PHASES } from "./event-schema.ts";

/**
 * Is this a history event? Gives what is wrong with it, or nothing. By hand, since a million events pass through here
 * and the schema takes ten times as long; a test holds the two equal.
 */
export function problemOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is no object";
  const event = value as Record<keyof HistoryEvent, unknown>;
  if (!Number.isSafeInteger(event.atNs)) return wrong("atNs", "an integer", event.atNs);
  if (!Number.isSafeInteger(event.round)) return wrong("round", "an integer", event.round);
  if (typeof event.arm !== "string") return wrong("arm", "a string", event.arm);
  if (!operations.has(event.op)) return wrong("op", "an operation", event.op);
  if (!phases.has(event.phase)) return wrong("phase", "invoke, ok, fail or info", event.phase);
  if (!Number.isSafeInteger(event.worker)) return wrong("worker", "an integer", event.worker);
  if (!optionalInteger(event.incarnation)) return wrong("incarnation", "an integer", event.incarnation);
  if (!optionalNumber(event.wallMs)) return wrong("wallMs", "a number", event.wallMs);
  if (!optionalString(event.execution)) return wrong("execution", "a string", event.execution);
  if (!optionalString(event.key)) return wrong("key", "a string", event.key);
  if (!optionalString(event.job)) return wrong("job", "a string", event.job);
  if (!optionalInteger(event.attempt)) return wrong("attempt", "an integer", event.attempt);
  if (!optionalString(event.token)) return wrong("token", "a string", event.token);
  if (!optionalNumber(event.fencingToken)) return wrong("fencingToken", "a number", event.fencingToken);
  if (!optionalNumber(event.validUntilMs)) return wrong("validUntilMs", "a number", event.validUntilMs);
  if (!optionalString(event.outcome)) return wrong("outcome", "a string", event.outcome);
  if (!optionalString(event.error)) return wrong("error", "a string", event.error);
  const { detail } = event;
  if (detail !== undefined && (typeof detail !== "object" || detail === null || Array.isArray(detail))) {
    return wrong("detail", "an object", detail);
  }
  return undefined;
}

const operations: ReadonlySet<unknown> = new Set(OPERATIONS);
const phases: ReadonlySet<unknown> = new Set(PHASES);

const optionalString = (value: unknown) => value === undefined || typeof value === "string";
const optionalInteger = (value: unknown) => value === undefined || Number.isSafeInteger(value);
const optionalNumber = (value: unknown) => value === undefined || Number.isFinite(value);

function wrong(field: string, wanted: string, value: unknown): string {
  return `${field} is ${JSON.stringify(value) ?? "missing"}, not ${wanted}`;
}
