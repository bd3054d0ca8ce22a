import { randomNormal } from "d3-random";
import type { FaultParameters } from "../../../contracts/fault.ts";
import { numberOf, textOf } from "../network-fault.ts";

export const distributionNames = ["uniform", "normal", "lognormal", "pareto"] as const;
export type DistributionName = (typeof distributionNames)[number];

/**
 * Delays in ms from the parameters base, jitter, p99, distribution and correlation.
 *
 * - uniform: from base - jitter to base + jitter (as Toxiproxy); with p99: from base upwards.
 * - normal: mean base, standard deviation jitter.
 * - lognormal: never below base; jitter is the median of what is added, with sigma 1.
 * - pareto: never below base; a Lomax tail with shape 3 and scale jitter.
 *
 * With p99, the spread is chosen so that 99 % of the delays are at most that. The correlation with the delay before is
 * that of a Gaussian copula (an autoregressive series of normal numbers, mapped to the distribution), so that the
 * distribution itself stays as it is. No delay is negative.
 */
export function delays(parameters: FaultParameters, random: () => number): () => number {
  const baseMs = numberOf(parameters, "base", 0);
  const p99Ms = numberOf(parameters, "p99", Number.NaN);
  const jitterMs = numberOf(parameters, "jitter", 0);
  const hasP99 = !Number.isNaN(p99Ms);
  const name = textOf<DistributionName>(parameters, "distribution", hasP99 ? "lognormal" : "uniform");
  if (hasP99 ? p99Ms <= baseMs : jitterMs === 0) return () => baseMs;
  const delay = hasP99 ? withP99(name, baseMs, p99Ms) : withJitter(name, baseMs, jitterMs);
  const normal = correlatedNormal(random, numberOf(parameters, "correlation", 0));
  return () => Math.max(0, delay(normal()));
}

function withJitter(name: DistributionName, baseMs: number, jitterMs: number): (z: number) => number {
  switch (name) {
    case "uniform":
      return (z) => baseMs + jitterMs * (2 * normalShare(z) - 1);
    case "normal":
      return (z) => baseMs + jitterMs * z;
    case "lognormal":
      return (z) => baseMs + jitterMs * Math.exp(z);
    case "pareto":
      return (z) => baseMs + jitterMs * lomax(normalShare(z));
  }
}

function withP99(name: DistributionName, baseMs: number, p99Ms: number): (z: number) => number {
  const spreadMs = p99Ms - baseMs;
  switch (name) {
    case "uniform":
      return (z) => baseMs + (spreadMs / 0.99) * normalShare(z);
    case "normal":
      return (z) => baseMs + (spreadMs / z99) * z;
    case "lognormal":
      return (z) => baseMs + spreadMs * Math.exp(z - z99);
    case "pareto":
      return (z) => baseMs + (spreadMs / lomax(0.99)) * lomax(normalShare(z));
  }
}

function correlatedNormal(random: () => number, correlation: number): () => number {
  const normal = randomNormal.source(random)(0, 1);
  if (correlation === 0) return normal;
  const fresh = Math.sqrt(1 - correlation * correlation);
  let last = normal();
  return () => {
    last = correlation * last + fresh * normal();
    return last;
  };
}

/** Quantile of the Lomax distribution with shape 3 and scale 1. */
const lomax = (share: number) => (1 - share) ** (-1 / 3) - 1;

/** The 99th percentile of the standard normal distribution. */
const z99 = 2.3263478740408408;

/** Share of the standard normal distribution below z. Abramowitz and Stegun, Handbook, 26.2.17: error below 7.5e-8. */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = polynomial * Math.exp((-z * z) / 2) * 0.3989422804014327;
  return z >= 0 ? 1 - tail : tail;
}
