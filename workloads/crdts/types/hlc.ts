import type { Clock } from "../../../harness/contracts/clock.ts";
import { formatTimestamp, type Timestamp } from "./timestamp.ts";

/** A remote timestamp further ahead of the own wall clock than this is refused, in ms. */
export const DEFAULT_MAX_DRIFT_MS = 60_000;

/**
 * The timestamp of a local event. Never goes back, whatever the wall clock does.
 * @param last the last timestamp of this clock, which is its whole state
 * @param wallMs the wall clock, in ms
 * Source: Kulkarni et al. 2014, figure 5, "send or local event".
 */
export function tickHlc(last: Timestamp, wallMs: number): Timestamp {
  return wallMs > last.l ? { l: wallMs, c: 0, node: last.node } : { l: last.l, c: last.c + 1, node: last.node };
}

/**
 * The clock after a message stamped `remote` arrived: strictly above both clocks, and not below the wall clock.
 * Whether the remote is too far ahead is asked beforehand, with `driftMs`.
 * Source: Kulkarni et al. 2014, figure 5, "receive event of message m".
 */
export function joinHlc(last: Timestamp, remote: Timestamp, wallMs: number): Timestamp {
  const l = Math.max(last.l, remote.l, wallMs);
  let c = 0;
  if (l === last.l && l === remote.l) c = Math.max(last.c, remote.c) + 1;
  else if (l === last.l) c = last.c + 1;
  else if (l === remote.l) c = remote.c + 1;
  return { l, c, node: last.node };
}

/** How far a remote timestamp is ahead of the wall clock, in ms; negative when it is behind. */
export function driftMs(remote: Timestamp, wallMs: number): number {
  return remote.l - wallMs;
}

/** The clock of a region that has seen nothing yet. */
export function initialHlc(node: string): Timestamp {
  return { l: 0, c: 0, node };
}

/** A remote timestamp was too far ahead: some clock, there or here, needs mending. Nothing was changed. */
export class ClockDriftError extends Error {
  readonly code = "CLOCK_DRIFT";
  readonly remote: Timestamp;
  readonly driftMs: number;

  constructor(remote: Timestamp, aheadMs: number, maxDriftMs: number, node: string) {
    super(
      `${node} refuses the timestamp ${formatTimestamp(remote)}: it is ${aheadMs} ms ahead of the wall clock here, and ` +
        `${maxDriftMs} ms are allowed. Compare the clocks of ${node} and ${remote.node}; the message can be sent again.`,
    );
    this.name = "ClockDriftError";
    this.remote = remote;
    this.driftMs = aheadMs;
  }
}

export interface HybridLogicalClockOptions {
  /** The region's id. Unique, and never used again by a region that lost its state. */
  node: string;
  clock: Clock;
  /** Default 60,000. */
  maxDriftMs?: number;
  /** The alert: called once for every refusal. */
  onDrift?: (drift: { remote: Timestamp; driftMs: number }) => void;
  /** What `save` gave before the restart, so that no old timestamp is issued again. */
  saved?: { l: number; c: number };
}

/** A hybrid logical clock that holds its state, for use in an application. */
export class HybridLogicalClock {
  readonly maxDriftMs: number;
  private readonly clock: Clock;
  private readonly onDrift: HybridLogicalClockOptions["onDrift"];
  private stamp: Timestamp;
  private refusals = 0;

  constructor({ node, clock, maxDriftMs = DEFAULT_MAX_DRIFT_MS, onDrift, saved }: HybridLogicalClockOptions) {
    this.clock = clock;
    this.maxDriftMs = maxDriftMs;
    this.onDrift = onDrift;
    this.stamp = saved === undefined ? initialHlc(node) : { l: saved.l, c: saved.c, node };
  }

  /** Issues the timestamp of a local event or of a message about to be sent. */
  now(): Timestamp {
    this.stamp = tickHlc(this.stamp, this.clock.now());
    return this.stamp;
  }

  /**
   * Takes note of a timestamp that arrived, so that everything issued from now on is greater.
   * @throws ClockDriftError with code `CLOCK_DRIFT`, the clock being untouched
   */
  receive(remote: Timestamp): Timestamp {
    const wallMs = this.clock.now();
    const aheadMs = driftMs(remote, wallMs);
    if (aheadMs > this.maxDriftMs) {
      this.refusals += 1;
      this.onDrift?.({ remote, driftMs: aheadMs });
      throw new ClockDriftError(remote, aheadMs, this.maxDriftMs, this.stamp.node);
    }
    this.stamp = joinHlc(this.stamp, remote, wallMs);
    return this.stamp;
  }

  /** The last timestamp issued or reached by a receive. */
  get last(): Timestamp {
    return this.stamp;
  }

  /** How many remote timestamps were refused. */
  get driftRefusals(): number {
    return this.refusals;
  }

  /** Keep it where it survives a restart, before what it stamped is sent. */
  save(): { l: number; c: number } {
    return { l: this.stamp.l, c: this.stamp.c };
  }
}
