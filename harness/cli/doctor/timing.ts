import { setTimeout as sleep } from "node:timers/promises";
import type { DoctorFinding } from "./finding.ts";

/** How late timers are: `count` waits of 2 ms, one after the other. */
export async function examineTimers(count = 150): Promise<DoctorFinding> {
  const lateMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const askedAt = performance.now();
    await sleep(2);
    lateMs.push(performance.now() - askedAt - 2);
  }
  const [p50Ms, p99Ms] = [quantile(lateMs, 0.5), quantile(lateMs, 0.99)];
  const text = `late by ${p50Ms.toFixed(2)} ms (p50) and ${p99Ms.toFixed(2)} ms (p99)`;
  return {
    topic: "timers",
    state: p99Ms > 20 ? "mind" : "fine",
    text: p99Ms > 20 ? `${text}: latencies below that say more about this machine than about Redis` : text,
    facts: { p50Ms, p99Ms },
  };
}

/** How often the machine takes this process off the processor: gaps of more than 1 ms in a loop that never waits. */
export function examineNoise(forMs = 300): DoctorFinding {
  const startedAt = performance.now();
  let before = startedAt;
  let gaps = 0;
  let longestMs = 0;
  while (before - startedAt < forMs) {
    const now = performance.now();
    const gapMs = now - before;
    if (gapMs > 1) gaps += 1;
    longestMs = Math.max(longestMs, gapMs);
    before = now;
  }
  const perSecond = Math.round((gaps * 1_000) / forMs);
  const text = `${perSecond} interruptions of more than 1 ms a second, the longest ${longestMs.toFixed(1)} ms`;
  const noisy = perSecond > 20 || longestMs > 30;
  return {
    topic: "noise",
    state: noisy ? "mind" : "fine",
    text: noisy
      ? `${text}: a busy machine; correctness is judged all the same, latencies are to be read with care`
      : text,
    facts: { perSecond, longestMs },
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
