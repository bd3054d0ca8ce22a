import { formatDurationMs } from "../../config/units.ts";
import type { FaultDescription, FaultTrigger, PlannedFault } from "../../contracts/fault.ts";
import { formatParameter, readParameter } from "./parameter.ts";
import { quoteIfNeeded } from "./parse.ts";
import { formatTargets } from "./target.ts";

/** Writes explicit faults in the plan language, so that reading them gives the same faults. */
export function formatFaults(
  faults: readonly PlannedFault[],
  descriptions: readonly FaultDescription[],
  { separator = ", " }: { separator?: string } = {},
): string {
  return faults.map((fault) => formatFault(fault, descriptions)).join(separator);
}

function formatFault(
  { name, targets, parameters, trigger, forMs }: PlannedFault,
  descriptions: readonly FaultDescription[],
) {
  const description = descriptions.find((candidate) => candidate.name === name);
  const pieces: string[] = [];
  for (const [key, value] of Object.entries(parameters)) {
    const parameter = description?.parameters[key] ?? {
      type: typeof value === "number" ? "number" : "string",
      summary: "",
    };
    const isDefault = parameter.default !== undefined && readParameter(parameter, parameter.default) === value;
    if (!isDefault) pieces.push(`${key}=${formatParameter(parameter, value)}`);
  }
  pieces.push(...formatTrigger(trigger, description));
  if (forMs !== undefined) pieces.push(`for=${formatDurationMs(forMs)}`);
  // The sides of a partition say already what it is aimed at.
  const namesSides = Object.keys(parameters).some((key) => description?.parameters[key]?.type === "endpoints");
  if (!namesSides) pieces.push(`target=${formatTargets(targets)}`);
  return `${name}(${pieces.join(", ")})`;
}

function formatTrigger(trigger: FaultTrigger, description: FaultDescription | undefined): string[] {
  if (trigger.kind === "at") return [`at=${formatDurationMs(trigger.atMs)}`];
  const { event, nth, afterMs, command, keyPattern } = trigger;
  const inner = [command, keyPattern === undefined ? undefined : quoteIfNeeded(keyPattern)].filter(Boolean).join(", ");
  const hasOwnNth = description?.parameters.nth !== undefined;
  return [
    `on=${event}${event === "command" ? `(${inner})` : ""}${hasOwnNth && nth !== 1 ? `#${nth}` : ""}`,
    ...(hasOwnNth || nth === 1 ? [] : [`nth=${nth}`]),
    ...(afterMs === 0 ? [] : [`after=${formatDurationMs(afterMs)}`]),
  ];
}
