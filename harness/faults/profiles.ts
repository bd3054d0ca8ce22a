import { formatDurationMs } from "../config/units.ts";

/** A named fault plan: a text of the plan language that fits any round from `minRoundMs` on. */
export interface FaultProfile {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  minRoundMs: number;
  /** The plan for a round of this length. */
  text(roundMs: number): string;
}

export const faultProfiles: readonly FaultProfile[] = [
  {
    name: "none",
    summary: "Nothing goes wrong: measures cost only and says nothing about safety",
    minRoundMs: 0,
    text: () => "",
  },
  {
    name: "article",
    summary:
      "Network jitter, a Redis pause of 2 s, a worker stopped for longer than the visibility timeout, a clock a minute ahead",
    minRoundMs: 4_000,
    text(roundMs) {
      const { every, at } = cycles(roundMs, 4_000);
      return [
        "jitter(base=0.2ms, p99=1.5ms)",
        `redis-pause(at=${at(0.1)}, every=${every}, for=2s)`,
        `worker-stop(at=${at(0.35)}, every=${every}, for=2.4s, target=worker:any)`,
        "worker-clock(offset=+60s, target=worker:any)",
      ].join(", ");
    },
  },
  {
    name: "incident",
    summary: "Redis stalls once for 2 s",
    minRoundMs: 3_000,
    text: (roundMs) => `jitter(base=0.2ms, p99=1.5ms), redis-pause(at=${rounded(roundMs * 0.2)}, for=2s)`,
  },
  {
    name: "gentle",
    summary: "What any day brings: jitter, a Redis pause of 300 ms, a worker stopped for 300 ms",
    minRoundMs: 2_000,
    text(roundMs) {
      const { every, at } = cycles(roundMs, 2_000);
      return [
        "jitter(base=0.2ms, p99=1.5ms)",
        `redis-pause(at=${at(0.2)}, every=${every}, for=300ms)`,
        `worker-stop(at=${at(0.6)}, every=${every}, for=300ms, target=worker:any)`,
      ].join(", ");
    },
  },
  {
    name: "harsh",
    summary: "All of article at once and more often: two workers stopped, two Redis pauses, clocks ahead and behind",
    minRoundMs: 5_000,
    text(roundMs) {
      const { every, at } = cycles(roundMs, 5_000);
      return [
        "jitter(base=0.5ms, p99=20ms)",
        `redis-pause(at=${at(0.05)}, every=${every}, for=2s)`,
        `redis-pause(at=${at(0.7)}, every=${every}, for=1s)`,
        `worker-stop(at=${at(0.2)}, every=${every}, for=2.5s, target=worker:any)`,
        `worker-stop(at=${at(0.45)}, every=${every}, for=2.5s, target=worker:any)`,
        "worker-clock(offset=+60s, target=worker:any)",
        "worker-clock(offset=-5s, target=worker:any)",
      ].join(", ");
    },
  },
  {
    name: "chaos",
    summary: "Faults, targets, times and parameters drawn from the seed, anew for each round",
    minRoundMs: 500,
    text: (roundMs) => `random(faults=${Math.max(3, Math.round(roundMs / 1_500))})`,
  },
];

/** Cuts a round into equal cycles of at least `leastMs`; times within a cycle are given as a part of it. */
function cycles(roundMs: number, leastMs: number): { every: string; at(part: number): string } {
  // Cycles stay near 5 s, so that long rounds have many fault windows, and never get shorter than what fits.
  const count = Math.max(1, Math.floor(roundMs / Math.max(5_000, leastMs)));
  const cycleMs = Math.floor(roundMs / count);
  return { every: formatDurationMs(cycleMs), at: (part) => rounded(cycleMs * part) };
}

const rounded = (ms: number): string => `${Math.floor(ms / 10) * 10}ms`;
