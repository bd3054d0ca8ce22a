/** How much runs side by side: less for a while when the machine turns out to be too busy, and step by step more again. */
export interface Room {
  capacity(): number;
  /** A cell is over that began at this moment of `nowMs`. */
  wasInTime(startedMs: number): void;
  wasLate(startedMs: number): void;
}

const LESS = 0.8;
const MORE = 0.3;
/** The least of it that is used, however busy the machine. */
const LEAST = 0.4;

export function createRoom(most: number, nowMs: () => number = () => performance.now()): Room {
  const least = Math.max(1, most * LEAST);
  let capacity = most;
  let changedMs = Number.NEGATIVE_INFINITY;
  return {
    capacity: () => capacity,
    wasInTime(startedMs) {
      // One that began before says nothing of the machine as it is with less beside it.
      if (startedMs >= changedMs) capacity = Math.min(most, capacity + MORE);
    },
    wasLate(startedMs) {
      if (startedMs < changedMs) return;
      capacity = Math.max(least, capacity * LESS);
      changedMs = nowMs();
    },
  };
}
