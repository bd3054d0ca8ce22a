import type { ArmRound } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";

/** Collects events by round and arm. Batches may come in any order; each group is put in the order of time at the end. */
export interface RoundCollector {
  add(events: readonly HistoryEvent[]): void;
  /** By round, and within a round in the order in which the arms ran. */
  rounds(): ArmRound[];
}

export function collectRounds(): RoundCollector {
  const groups = new Map<string, { arm: string; round: number; events: HistoryEvent[] }>();
  let group: { arm: string; round: number; events: HistoryEvent[] } | undefined;
  return {
    add(events) {
      for (const event of events) {
        if (!group || group.round !== event.round || group.arm !== event.arm) {
          const name = `${event.round}\n${event.arm}`;
          group = groups.get(name);
          if (!group) {
            group = { arm: event.arm, round: event.round, events: [] };
            groups.set(name, group);
          }
        }
        group.events.push(event);
      }
    },
    rounds() {
      // Round 0 and the nameless arm hold events of the run as a whole.
      const rounds = [...groups.values()].filter(({ round, arm }) => round > 0 && arm !== "");
      for (const { events } of rounds) if (!inOrder(events)) events.sort((a, b) => a.atNs - b.atNs);
      return rounds.sort((a, b) => a.round - b.round || (a.events[0]?.atNs ?? 0) - (b.events[0]?.atNs ?? 0));
    },
  };
}

function inOrder(events: readonly HistoryEvent[]): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (const { atNs } of events) {
    if (atNs < before) return false;
    before = atNs;
  }
  return true;
}
