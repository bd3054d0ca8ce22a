import { EVENT_KINDS, type EventKind } from "../plan/event.ts";
import type { World } from "./world.ts";

/** The kinds of events that make sense for what the adapter declared and can do. */
export function possibleKinds(world: World): ReadonlySet<EventKind> {
  const { survivesLoss, survivesDuplicates, sendsState, collects, causal, fifo, regions } = world;
  const impossible: Readonly<Partial<Record<EventKind, boolean>>> = {
    // The network sends again what was lost, so that nothing is.
    lose: !survivesLoss,
    again: !survivesDuplicates,
    // Who only ever broadcasts operations cannot bring a newcomer up to date.
    amnesia: !sendsState,
    collect: !collects,
    // A message on a way of its own breaks the order of its sender's.
    forward: causal || fifo || regions.length < 3,
  };
  return new Set(EVENT_KINDS.filter((kind) => !impossible[kind]));
}
