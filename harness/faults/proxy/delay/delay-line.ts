import TinyQueue from "tinyqueue";
import { PreciseAlarm } from "./precise-alarm.ts";

/** Something that has bytes to write at a later time. */
export interface Sleeper {
  /** The time it is to be woken at, as the line keeps it; Infinity if none. */
  wakeAtMs: number;
  wake(nowMs: number): void;
}

/** Wakes each sleeper at its time, all of them with one alarm. */
export class DelayLine {
  private readonly queue = new TinyQueue<{ atMs: number; sleeper: Sleeper }>([], (a, b) => a.atMs - b.atMs);
  private readonly alarm: PreciseAlarm;
  private isRinging = false;

  /** `awaitsBytes` tells whether bytes are awaited at any moment. */
  constructor(awaitsBytes?: () => boolean) {
    this.alarm = new PreciseAlarm((nowMs) => this.ring(nowMs), awaitsBytes);
  }

  /** An earlier time replaces a later one; a later one does not replace an earlier one: the sleeper is woken and may ask again. */
  wakeAt(sleeper: Sleeper, atMs: number): void {
    if (sleeper.wakeAtMs <= atMs) return;
    sleeper.wakeAtMs = atMs;
    this.queue.push({ atMs, sleeper });
    if (!this.isRinging && this.queue.peek()?.sleeper === sleeper) this.alarm.set(atMs);
  }

  private ring(nowMs: number): void {
    this.isRinging = true;
    for (let first = this.queue.peek(); first && first.atMs <= nowMs; first = this.queue.peek()) {
      this.queue.pop();
      // One that was moved to an earlier time has been woken then.
      if (first.sleeper.wakeAtMs !== first.atMs) continue;
      first.sleeper.wakeAtMs = Number.POSITIVE_INFINITY;
      first.sleeper.wake(nowMs);
    }
    this.isRinging = false;
    this.alarm.set(this.queue.peek()?.atMs ?? Number.POSITIVE_INFINITY);
  }
}
