import { build, type Histogram } from "hdr-histogram-js";

/** How late delayed bytes were written: time of write - (time of read + delay asked). In ms. */
export interface DelayErrors {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Collects the errors of the delays that were carried out. */
export class DelayErrorRecorder {
  private readonly histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000_000,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });

  record(errorMs: number): void {
    this.histogram.recordValue(Math.max(0, Math.min(60_000_000_000, Math.round(errorMs * 1e6))));
  }

  get summary(): DelayErrors {
    const atMs = (percentile: number) => this.histogram.getValueAtPercentile(percentile) / 1e6;
    return {
      count: this.histogram.totalCount,
      p50Ms: atMs(50),
      p99Ms: atMs(99),
      maxMs: this.histogram.maxValue / 1e6,
    };
  }

  reset(): void {
    this.histogram.reset();
  }
}
