import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold, othersAsked } from "./reach.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

export const eviction: Scenario = {
  name: "eviction",
  summary: "The servers run out of memory and evict the key of a lock that is held (volatile-ttl)",
  correctLock: "No lock in Redis can help here, but a token counter without TTL is not evicted: old writes are refused",
  notApplicable: needsOwnAcquire,
  plan: () => ({
    ...quick,
    workers: 2,
    ttlMs: 3_000,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 0, forMs: 1_400 },
        { atMs: 0, forMs: 1_400 },
      ]),
    },
    faults: `${worker1First(1)}, redis-eviction(at=400ms, for=100ms)`,
    roundMs: 2_000,
  }),
  reach: [faultWithinHold("redis-eviction"), othersAsked],
};
