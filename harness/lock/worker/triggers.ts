import { writeSync } from "node:fs";
import type { ArmedTrigger, TriggerEvent, TriggerLine } from "../messages.ts";

/** The pipe to the orchestrator on which a worker tells that a fault's moment has come. */
const TRIGGER_DESCRIPTOR = 3;

export const tellOrchestrator = (line: string): void => {
  writeSync(TRIGGER_DESCRIPTOR, line);
};

/** Counts events and tells the orchestrator, synchronously, when an armed fault's moment has come. */
export interface Triggers {
  arm(triggers: readonly ArmedTrigger[]): void;
  /** Called at each event, as the last thing before the worker goes on. */
  happened(event: TriggerEvent, atNs: number): void;
}

export function createTriggers(
  tell: (line: string) => void = tellOrchestrator,
  stopSelf: () => void = () => process.kill(process.pid, "SIGSTOP"),
): Triggers {
  let armed: { trigger: ArmedTrigger; seen: number }[] = [];
  return {
    arm(triggers) {
      armed = triggers.map((trigger) => ({ trigger, seen: 0 }));
    },
    happened(event, atNs) {
      for (const entry of armed) {
        if (entry.trigger.event !== event) continue;
        entry.seen += 1;
        if (entry.trigger.nth !== 0 && entry.seen !== entry.trigger.nth) continue;
        const { faultId, stopHere } = entry.trigger;
        const line: TriggerLine = { faultId, event, atNs, stopsHere: stopHere };
        tell(`${JSON.stringify(line)}\n`);
        if (stopHere) stopSelf();
      }
    },
  };
}
