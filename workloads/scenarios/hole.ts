import type { Scenario } from "../../harness/contracts/scenario.ts";
import { firstOf, needsCommandTimeout, needsQuorum } from "./needs.ts";
import { faultDuringAcquire, somebodyHeld } from "./reach.ts";
import { steadyJobs } from "./timing.ts";

const TTL_MS = 500;

/** Nodes that swallow every byte: a client without a time limit of its own waits for them as long as it takes. */
function hole(nodes: 1 | 3, commandTimeoutMs?: number): Scenario {
  const limit = commandTimeoutMs === undefined ? "" : `, under a command timeout of ${commandTimeoutMs} ms`;
  return {
    name: `hole-${nodes}-of-5${commandTimeoutMs === undefined ? "" : "-timeout"}`,
    summary: `${nodes} of five nodes ${nodes === 1 ? "swallows" : "swallow"} every byte for 6.5 s${limit}`,
    correctLock:
      nodes === 1
        ? "The majority of four is enough: jobs go on, and nothing hangs"
        : "No majority, no grant: every acquire comes back in time, and jobs go on once the nodes are there again",
    notApplicable: commandTimeoutMs === undefined ? needsQuorum : firstOf(needsQuorum, needsCommandTimeout),
    plan: () => ({
      workers: 2,
      concurrency: 4,
      ttlMs: TTL_MS,
      visibilityMs: 600,
      ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
      load: { jobs: steadyJobs({ everyMs: 250, untilMs: 4_000, forMs: 50 }) },
      faults: `black-hole(at=700ms, for=6.5s, target=${nodes === 1 ? "node:5" : "node:3..5"})`,
      roundMs: 7_500,
    }),
    reach: [somebodyHeld, faultDuringAcquire("black-hole")],
    premises: [
      {
        check: "hygiene",
        class: "renewal after release",
        why: "what the nodes swallowed is sent to them again by the clients when they are back",
      },
    ],
    weight: 0.6,
  };
}

export const holes: readonly Scenario[] = [hole(1), hole(3), hole(1, 100), hole(3, 100)];
