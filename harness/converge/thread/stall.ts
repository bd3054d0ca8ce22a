/**
 * How long something has made no progress, in ms, looked at once in a period. A look that comes much later than that
 * counts as two periods: the machine slept, or the process was stopped, and what is watched stood still with it.
 */
export class Stall {
  private readonly periodMs: number;
  private progress: string | undefined;
  private lookedAtMs = 0;
  private stalledMs = 0;

  constructor(periodMs: number) {
    this.periodMs = periodMs;
  }

  /** @param progress anything that differs from the last time when there was some */
  look(progress: string, nowMs: number): number {
    if (progress === this.progress) this.stalledMs += Math.min(nowMs - this.lookedAtMs, 2 * this.periodMs);
    else this.stalledMs = 0;
    this.progress = progress;
    this.lookedAtMs = nowMs;
    return this.stalledMs;
  }
}
