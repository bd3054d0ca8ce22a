import { setTimeout as sleep } from "node:timers/promises";
import type { WorkerAssignment } from "../messages.ts";
import type { Station } from "./station.ts";

/** Numbers from 0 to 1 that spread evenly, however many are taken: multiples of the golden ratio. */
const spread = (index: number): number => (index * 0.6180339887498949) % 1;

/**
 * The closed loop of `--rate max`: so many cycles of acquire and release in flight, each on a key of its own, until the
 * station closes, or until there were enough.
 */
export function runSaturation(
  station: Station,
  { inFlight, cycles = Number.POSITIVE_INFINITY, holdMs = 0 }: NonNullable<WorkerAssignment["saturation"]>,
): void {
  let ended = false;
  let begun = 0;
  const loops = Array.from({ length: inFlight }, (_, lane) => runLane(station, lane));
  station.beforeClose(async () => {
    ended = true;
    await Promise.all(loops);
  });

  async function runLane({ lock, journal, assignment }: Station, lane: number): Promise<void> {
    const { signal } = new AbortController();
    for (let cycle = 0; !ended && begun < cycles; cycle += 1) {
      begun += 1;
      const key = `${assignment.worker}.${assignment.incarnation}-${lane}-${cycle}`;
      const cycleIds = { key, execution: key };
      journal.record({ op: "acquire", phase: "invoke", ...cycleIds });
      const grant = await lock.acquire(key, assignment.ttlMs, { signal });
      if (grant.outcome !== "granted") {
        const phase = grant.outcome === "indeterminate" ? "info" : "fail";
        journal.record({ op: "acquire", phase, outcome: grant.outcome, ...cycleIds });
        continue;
      }
      journal.record({ op: "acquire", phase: "ok", outcome: "granted", ...cycleIds, token: grant.token });
      if (holdMs > 0) await sleep(holdMs * spread(begun));
      journal.record({ op: "release", phase: "invoke", ...cycleIds, token: grant.token });
      const release = await lock.release(key, grant.token);
      journal.record({
        op: "release",
        phase: release.outcome === "released" ? "ok" : release.outcome === "unknown" ? "info" : "fail",
        outcome: release.outcome,
        ...cycleIds,
        token: grant.token,
      });
    }
  }
}
