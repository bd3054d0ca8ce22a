import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf, overlap, windowsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

/** antirez's answer to Kleppmann: what is late before the elapsed time is looked at can be seen, and must be. */
export const pauseBeforeCheck: Scenario = {
  name: "pause-before-check",
  summary: "The replies to an acquire are held and its worker stopped until the TTL is over; then it gets the replies",
  correctLock: "The acquire sees that its time is over and gives no grant, or the late write is refused",
  notApplicable: firstOf(needsOwnAcquire, needsRedis),
  plan: () => ({
    ...quick,
    workers: 2,
    ttlMs: 1_000,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 400, forMs: 900 },
        { atMs: 400, forMs: 900 },
      ]),
    },
    faults: [
      worker1First(1, "900ms"),
      "partition(direction=replies, target=client:1, at=200ms, for=1.9s)",
      "worker-stop(target=worker:1, at=900ms, for=1.3s)",
    ].join(", "),
    roundMs: 3_000,
  }),
  reach: [
    {
      name: "worker 1 was stopped while it waited for the answer to an acquire, until the TTL was over",
      reached(round, { ttlMs }) {
        const calls = callsOf(round, "acquire").filter(({ worker }) => worker === 1);
        return windowsOf(round, "worker-stop").some((stop) =>
          calls.some(
            (call) => overlap(call, stop) && call.startNs < stop.startNs && stop.endNs - call.startNs > ttlMs * 1e6,
          ),
        );
      },
    },
  ],
};
