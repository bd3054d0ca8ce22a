import type { ChangedDefault } from "../../contracts/lock-adapter.ts";
import type { PlannedArm } from "../../contracts/lock-plan.ts";
import type { ModuleRef } from "../../contracts/module-ref.ts";

/** A lock as chosen on the command line: where it is, and its options. */
export type LockChoice = ModuleRef & {
  options: Readonly<Record<string, string | number | boolean>>;
  changedDefaults?: readonly ChangedDefault[];
};

export interface ArmShape {
  ack: "inside" | "after";
  /** False for runs that show cost only. */
  withControl: boolean;
  locks: readonly LockChoice[];
  control: ModuleRef;
}

/**
 * The arms: the literal control, which does not look at its delivery, the control that does, then the locks. With
 * acknowledgement after the release nobody looks, as in the article; the two controls would be the same, so that
 * the literal one is left out.
 */
export function planArms({ ack, withControl, locks, control }: ArmShape): PlannedArm[] {
  const look = ack === "inside";
  const literal: PlannedArm = {
    name: "none-literal",
    role: "control",
    lock: { ...control, name: "none-literal", options: {} },
    look: false,
  };
  const none: PlannedArm = { name: "none", role: "control", lock: { ...control, name: "none", options: {} }, look };
  const controls = !withControl ? [] : look ? [literal, none] : [none];
  return [...controls, ...locks.map((lock) => lockArm(lock, look))];
}

function lockArm({ changedDefaults = [], ...lock }: LockChoice, look: boolean): PlannedArm {
  const changed = changedDefaults.length === 0 ? {} : { changedDefaults };
  return { name: armName(lock), role: "lock", lock, ...changed, look };
}

/** The lock's name, with the options that tell it from its default form: `my-lock(retries=3)`. */
export function armName({ name, options }: LockChoice): string {
  const pairs = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? name : `${name}(${pairs.join(", ")})`;
}
