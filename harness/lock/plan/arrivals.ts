import { randomExponential, randomLogNormal } from "d3-random";
import type { JobTime, PlannedArrival } from "../../contracts/lock-plan.ts";
import type { RandomStream } from "../../random-stream.ts";

export interface ArrivalShape {
  round: number;
  roundMs: number;
  perMinute: number;
  arrivals: "poisson" | "constant";
  keys: "per-job" | number;
  time: JobTime;
}

/** A random stream for each purpose. */
export type Streams = (purpose: "arrivals" | "durations" | "keys") => RandomStream;

/** The jobs of one round, in the order of their arrival. Times are whole microseconds. */
export function planArrivals(shape: ArrivalShape, streamOf: Streams): PlannedArrival[] {
  const { round, keys } = shape;
  const drawDurationUs = jobTimeUs(shape.time, streamOf("durations"));
  const keyStream = streamOf("keys");
  return arrivalTimesUs(shape, streamOf("arrivals")).map((atUs, index) => {
    const job = `r${round}-j${index + 1}`;
    const key = keys === "per-job" ? job : `k${keyStream.whole(1, keys)}`;
    return { job, key, atUs, durationUs: drawDurationUs() };
  });
}

/**
 * Poisson: exponential gaps. Constant: equal gaps, the first arrival half a gap after the start.
 */
function arrivalTimesUs({ roundMs, perMinute, arrivals }: ArrivalShape, random: RandomStream): number[] {
  const endUs = roundMs * 1_000;
  const gapUs = 60e6 / perMinute;
  const drawGap = randomExponential.source(() => random.float())(1 / gapUs);
  const times: number[] = [];
  for (let atUs = arrivals === "constant" ? gapUs / 2 : drawGap(); atUs < endUs; ) {
    times.push(Math.floor(atUs));
    atUs = arrivals === "constant" ? (times.length + 0.5) * gapUs : atUs + drawGap();
  }
  return times;
}

/** The standard normal's 99th percentile. */
const z99 = 2.3263478740408408;

function jobTimeUs(time: JobTime, random: RandomStream): () => number {
  const toUs = (ms: number) => Math.round(ms * 1_000);
  if (time.kind === "constant") return () => toUs(time.ms);
  if (time.kind === "recorded") return () => toUs(random.pick(time.valuesMs));
  const sigma = Math.log(time.p99Ms / time.p50Ms) / z99;
  const draw = randomLogNormal.source(() => random.float())(Math.log(time.p50Ms), sigma);
  return () => toUs(Math.min(draw(), time.maxMs));
}
