import type { Scenario } from "../../harness/contracts/scenario.ts";
import { DELETE } from "./commands.ts";
import { callsOf, holdsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

const TTL_MS = 1_000;
const DELAY_MS = 700;

export const delayedDelete: Scenario = {
  name: "delayed-delete",
  summary: "The command that deletes a key is held up on its way until the TTL is over and another holds the key",
  correctLock: "The late release leaves the next holder's lock alone",
  notApplicable: firstOf(needsOwnAcquire, needsRedis),
  plan: () => ({
    ...quick,
    workers: 3,
    ttlMs: TTL_MS,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 100, forMs: 600 },
        { atMs: 100, forMs: 600 },
        { atMs: 100, forMs: 600 },
      ]),
    },
    faults: `${worker1First(2)}, delay-request(command='${DELETE}', delay=${DELAY_MS}ms, target=client:1, on=grant, after=20ms, for=2s)`,
    roundMs: 3_000,
  }),
  reach: [
    {
      name: "a release that was called in time was under way until another held the key",
      reached(round) {
        const holds = holdsOf(round);
        return callsOf(round, "release").some((release) => {
          const own = holds.find(({ execution }) => execution === release.execution);
          const inTime = own !== undefined && release.startNs < own.askedNs + TTL_MS * 1e6;
          const arrivesNs = release.startNs + DELAY_MS * 1e6;
          return (
            inTime &&
            holds.some((next) => next.startNs > release.startNs && next.startNs < arrivesNs && next.endNs > arrivesNs)
          );
        });
      },
    },
  ],
};
