import type { ArmResult, LockResult } from "../../harness/results/lock-schema.ts";
import { visible } from "../escape.ts";

/** The control that differs from a lock arm by acquire and release alone; absent in a saturation run. */
export function mainControl(result: LockResult): ArmResult | undefined {
  const controls = result.arms.filter((arm) => arm.role === "control");
  return controls.find((arm) => !isLiteral(arm)) ?? controls[0];
}

export function lockArms(result: LockResult): ArmResult[] {
  return result.arms.filter((arm) => arm.role === "lock");
}

/** The article's worker, which does not look at its delivery. */
export function isLiteral(arm: ArmResult): boolean {
  return arm.role === "control" && (arm.lock === "none-literal" || arm.name === "none-literal");
}

export interface ArmTitle {
  role: string;
  name: string;
}

export function armTitle(arm: ArmResult): ArmTitle {
  const role = arm.role === "lock" ? "with lock" : isLiteral(arm) ? "no lock, no look" : "no lock";
  return { role, name: visible(arm.name, 40) };
}
