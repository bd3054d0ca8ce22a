import type { CompareResult } from "../../harness/results/compare-schema.ts";
import { type Thresholds, thresholdOf } from "./options.ts";

export interface Calibration {
  name: string;
  metric: string;
  /** Half of the interval that this machine gives when nothing changed, relative. */
  noise: number;
  /** Threshold to use here: the default, or twice the noise where the machine is noisier, in whole per cent. */
  threshold: number;
}

/** This machine's floor, from a comparison of a configuration with itself. */
export function calibrationOf({ metrics }: CompareResult, own?: Thresholds): Calibration[] {
  return metrics
    .filter(({ gated, lo, hi }) => gated && lo !== null && hi !== null)
    .map(({ name, metric, lo, hi }) => {
      const noise = Math.max(Math.abs(lo ?? 0), Math.abs(hi ?? 0));
      return { name, metric, noise, threshold: Math.max(thresholdOf(metric, own), Math.ceil(noise * 200) / 100) };
    });
}
