import { mean, quantile, sorted } from "./quantiles.ts";

/** Seconds of critical code x jobs a second, below which the article sees no need for a lock. */
const WORTH_IT_THRESHOLD = 0.01;
/** The rule speaks only of critical code shorter than this, ms. */
const SHORT_JOB_MS = 100;

export interface LockWorthIt {
  product: number | null;
  productPerKey: number | null;
  threshold: number;
  meanJobMs: number | null;
  worthIt: boolean | null;
}

/**
 * Is a lock worth it? Mean seconds in the critical code x jobs per second: roughly the chance that another job runs at
 * the same moment. In total, and for the busiest key, where a job counts only those that it can meet (the others).
 * Says nothing about redeliveries, which bring the same job twice however rare jobs are.
 */
export function lockWorthIt({
  jobTimesMs,
  jobsPerKey,
  overMs,
}: {
  jobTimesMs: readonly number[];
  /** Jobs of each key over the time `overMs`. */
  jobsPerKey: Iterable<number>;
  overMs: number;
}): LockWorthIt {
  const meanJobMs = mean(jobTimesMs);
  let jobs = 0;
  let busiest = 0;
  for (const count of jobsPerKey) {
    jobs += count;
    busiest = Math.max(busiest, count);
  }
  const unknown = { product: null, productPerKey: null, threshold: WORTH_IT_THRESHOLD, meanJobMs, worthIt: null };
  if (meanJobMs === null || jobs === 0 || overMs <= 0) return unknown;
  const product = (meanJobMs / 1000) * (jobs / (overMs / 1000));
  const productPerKey = (meanJobMs / 1000) * ((busiest - 1) / (overMs / 1000));
  const worthIt = !(meanJobMs < SHORT_JOB_MS && product < WORTH_IT_THRESHOLD);
  return { product, productPerKey, threshold: WORTH_IT_THRESHOLD, meanJobMs, worthIt };
}

/** The article's rule: a TTL of 1.5 x the 99.9th percentile of the job time. */
export function ttlAdvice(jobTimesMs: readonly number[]): {
  jobTimeP999Ms: number | null;
  suggestedTtlMs: number | null;
} {
  const jobTimeP999Ms = quantile(sorted(jobTimesMs), 0.999);
  if (jobTimeP999Ms === null) return { jobTimeP999Ms, suggestedTtlMs: null };
  return { jobTimeP999Ms, suggestedTtlMs: Math.max(1, Math.ceil(1.5 * jobTimeP999Ms)) };
}
