import type { Calibration, CompareResult } from "../../harness/results/compare-schema.ts";
import { type Thresholds, thresholdOf } from "./options.ts";

/**
 * This machine's floor, from a comparison of a configuration with itself. The noise of a metric is how far its interval
 * reaches when nothing changed; its threshold here is the default, or twice the noise where the machine is noisier, in
 * whole per cent.
 */
export function calibrationOf({ metrics }: CompareResult, own?: Thresholds): Calibration[] {
  return metrics
    .filter(({ gated, lo, hi }) => gated && lo !== null && hi !== null)
    .map(({ name, metric, lo, hi }) => {
      const noise = Math.max(Math.abs(lo ?? 0), Math.abs(hi ?? 0));
      return { name, metric, noise, threshold: Math.max(thresholdOf(metric, own), Math.ceil(noise * 200) / 100) };
    });
}
