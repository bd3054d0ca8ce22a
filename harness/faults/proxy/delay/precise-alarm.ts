import { readFileSync, writeFileSync } from "node:fs";

/**
 * Wakes at a time that Node's timers cannot hit: they are whole milliseconds, and late. Far from it a timer waits; close
 * to it the event loop turns with naps of at most 50 us between its turns (sockets are read meanwhile), and spins for the
 * last stretch, which is as long as a nap is wont to overrun. While bytes are awaited at any moment naps are short: not
 * left out, since whoever is to send them may be waiting for this processor. Costs nothing while no time is set.
 */
export class PreciseAlarm {
  /** On the scale of `performance.now()`; Infinity while none is set. */
  private atMs = Number.POSITIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private isTurning = false;
  private readonly onTime: (nowMs: number) => void;
  private readonly awaitsBytes: () => boolean;
  private readonly turn: () => void;

  constructor(onTime: (nowMs: number) => void, awaitsBytes: () => boolean = () => false) {
    this.onTime = onTime;
    this.awaitsBytes = awaitsBytes;
    this.turn = () => this.onTurn();
  }

  /** Replaces the time that was set. */
  set(atMs: number): void {
    this.atMs = atMs;
    if (!this.isTurning) this.wait();
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.atMs === Number.POSITIVE_INFINITY) return;
    const leftMs = this.atMs - performance.now();
    if (leftMs > turningMs + 1) {
      this.timer = setTimeout(() => this.wait(), Math.min(leftMs - turningMs, longestTimerMs));
      return;
    }
    this.isTurning = true;
    setImmediate(this.turn);
  }

  private onTurn(): void {
    let now = performance.now();
    if (now >= this.atMs) {
      this.atMs = Number.POSITIVE_INFINITY;
      this.onTime(now);
      now = performance.now();
    }
    const leftMs = this.atMs - now;
    if (leftMs > turningMs + 1) {
      this.isTurning = false;
      this.wait();
      return;
    }
    const napMs = Math.min(this.awaitsBytes() ? shortNapMs : longestNapMs, leftMs - napMarginMs);
    if (napMs > 0.004) nap(napMs);
    setImmediate(this.turn);
  }
}

/**
 * Makes waits of this process exact: asks Linux for a timer slack of 1 ns in place of 50 us. Elsewhere, and where that is
 * refused, naps overrun by more, and the spinning at the end is longer.
 */
export function sharpenTimers(): void {
  try {
    writeFileSync("/proc/self/timerslack_ns", "1");
    if (readFileSync("/proc/self/timerslack_ns", "utf8").trim() === "1") napMarginMs = sharpMarginMs;
  } catch {
    napMarginMs = bluntMarginMs;
  }
}

function nap(ms: number): void {
  Atomics.wait(napCell, 0, 0, ms);
}

const napCell = new Int32Array(new SharedArrayBuffer(4));

/** From here on the event loop turns: a timer may be more than a millisecond late. */
const turningMs = 2;
/** Bytes that arrive during a nap are seen at its end. */
const longestNapMs = 0.05;
const shortNapMs = 0.015;
const longestTimerMs = 2 ** 31 - 1;
const bluntMarginMs = 0.12;
const sharpMarginMs = 0.06;
let napMarginMs = bluntMarginMs;
