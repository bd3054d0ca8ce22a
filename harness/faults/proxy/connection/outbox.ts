import type { DelayErrorRecorder } from "../delay/delay-errors.ts";
import type { DelayLine, Sleeper } from "../delay/delay-line.ts";

/** Bytes that wait to be written, or something to be done once all before it is written. */
interface Parcel {
  bytes: Buffer | undefined;
  /** The time it may be written at, on the scale of `performance.now()`. */
  dueMs: number;
  /** When it was put here. */
  sinceMs: number;
  /** Held back by a fault beyond that time. */
  pin: Pin | undefined;
  action: (() => void) | undefined;
}

export interface Pin {
  fault: object;
  untilMs: number;
}

export interface OutboxEnvironment {
  delays: DelayLine;
  errors: DelayErrorRecorder;
}

/**
 * The last stretch of one direction of a connection: keeps order, waits for the time of each piece, and is where a gate
 * holds or loses bytes. Once something was lost nothing passes any more: a stream has no gaps.
 */
export class Outbox implements Sleeper {
  wakeAtMs = Number.POSITIVE_INFINITY;
  /** Bytes that wait. */
  size = 0;
  /** Bytes were lost here. */
  hasGap = false;
  private gate: "hold" | "lose" | undefined;
  private parcels: Parcel[] = [];
  private head = 0;
  private lastWrittenForMs = 0;
  private readonly write: (bytes: Buffer) => void;
  private readonly onChange: () => void;
  private readonly environment: OutboxEnvironment;

  /** `onChange` is called when it has become empty, or lost something. */
  constructor(write: (bytes: Buffer) => void, onChange: () => void, environment: OutboxEnvironment) {
    this.write = write;
    this.onChange = onChange;
    this.environment = environment;
  }

  get isEmpty(): boolean {
    return this.head === this.parcels.length;
  }

  /** True if bytes would go straight through. */
  get isOpen(): boolean {
    return this.isEmpty && this.gate === undefined && !this.hasGap;
  }

  put(bytes: Buffer, nowMs: number, dueMs: number, pin?: Pin): void {
    if (this.hasGap || bytes.length === 0) return;
    if (pin === undefined && dueMs <= nowMs && this.isOpen) {
      this.write(bytes);
      return;
    }
    this.size += bytes.length;
    this.add({ bytes, dueMs, sinceMs: nowMs, pin, action: undefined });
  }

  /** Does something once all bytes before it have been written. It is not done if they are lost. */
  after(action: () => void, dueMs = 0): void {
    if (this.hasGap) return;
    const nowMs = performance.now();
    if (dueMs <= nowMs && this.isOpen) action();
    else this.add({ bytes: undefined, dueMs, sinceMs: nowMs, pin: undefined, action });
  }

  setGate(gate: "hold" | "lose" | undefined): void {
    this.gate = gate;
    this.lastWrittenForMs = performance.now();
    this.drain(this.lastWrittenForMs);
  }

  /** What waits is lost, and all that comes. */
  lose(): void {
    if (this.hasGap) return;
    this.hasGap = true;
    this.clear();
    this.onChange();
  }

  /** Forgets what waits: the sender has taken it back, as a TCP reset does. */
  clear(): void {
    this.parcels = [];
    this.head = 0;
    this.size = 0;
  }

  /** A fault is over: its pins are pulled, and if it delayed bytes, those that wait are due now. */
  forgive(fault: object, hasShaped: boolean): void {
    const nowMs = performance.now();
    // What was held up behind a pin is not late by that.
    this.lastWrittenForMs = nowMs;
    for (let index = this.head; index < this.parcels.length; index++) {
      const parcel = this.parcels[index] as Parcel;
      if (parcel.pin?.fault === fault) parcel.pin = undefined;
      if (hasShaped) parcel.dueMs = Math.min(parcel.dueMs, nowMs);
    }
    this.drain(nowMs);
  }

  wake(nowMs: number): void {
    this.drain(nowMs);
  }

  private add(parcel: Parcel): void {
    this.parcels.push(parcel);
    if (this.parcels.length - this.head === 1 || this.gate === "lose") this.drain(parcel.sinceMs);
  }

  private drain(startMs: number): void {
    let nowMs = startMs;
    let hasChanged = false;
    while (!this.isEmpty && this.gate !== "hold") {
      const parcel = this.parcels[this.head] as Parcel;
      if (this.gate === "lose") {
        this.lose();
        return;
      }
      const atMs = Math.max(parcel.dueMs, parcel.pin?.untilMs ?? 0);
      if (atMs > nowMs) {
        if (atMs !== Number.POSITIVE_INFINITY) this.environment.delays.wakeAt(this, atMs);
        break;
      }
      this.take();
      hasChanged = true;
      if (parcel.bytes) {
        nowMs = performance.now();
        // Behind one that is due later, a piece is due when that one is.
        this.lastWrittenForMs = Math.max(this.lastWrittenForMs, atMs);
        if (atMs > parcel.sinceMs) this.environment.errors.record(nowMs - this.lastWrittenForMs);
        this.write(parcel.bytes);
      }
      parcel.action?.();
    }
    if (hasChanged && this.isEmpty) this.onChange();
  }

  private take(): void {
    const parcel = this.parcels[this.head] as Parcel;
    this.size -= parcel.bytes?.length ?? 0;
    this.head++;
    if (this.head === this.parcels.length) this.clear();
    else if (this.head >= 4096) {
      this.parcels = this.parcels.slice(this.head);
      this.head = 0;
    }
  }
}
