import type { PlannedFault } from "../../contracts/fault.ts";
import { linkChoices } from "./link-selector.ts";

type Aimed = Pick<PlannedFault, "name" | "targets" | "parameters">;

/** True if the fault is about connections that servers make: of a replica to its primary, of a sentinel to anyone. */
export function isAboutServerLinks({ name, targets, parameters: { a, b } }: Aimed): boolean {
  // It cuts the replication link by itself.
  if (name === "redis-failover") return true;
  if (typeof a === "string" && typeof b === "string") return [a, b].every((side) => side.split("+").some(isServer));
  return linkChoices(targets).some(({ source }) => source !== undefined && isServer(source));
}

const isServer = (name: string): boolean => /^\s*(node|sentinel):/.test(name);
