import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { othersAsked } from "./reach.ts";
import { jobsOfOneKey, quick } from "./timing.ts";

/** The article's "31 s of work under a 30 s TTL", in short. */
export const slowJob: Scenario = {
  name: "slow-job",
  summary: "A job of 1.5 s under a TTL of 1 s, while another worker waits for the key",
  correctLock: "The lock is renewed, or the late holder's write is refused by its fencing token",
  notApplicable: needsOwnAcquire,
  plan: () => ({
    ...quick,
    workers: 2,
    ttlMs: 1_000,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 0, forMs: 1_500 },
        { atMs: 80, forMs: 100 },
      ]),
    },
    faults: "",
    roundMs: 2_500,
  }),
  reach: [
    {
      name: "a job of 1.5 s was begun",
      reached: ({ events }) => events.some(({ op, phase, job }) => op === "acquire" && phase === "ok" && job === "j1"),
    },
    othersAsked,
  ],
};
