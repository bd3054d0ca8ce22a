import type { LockRegistryEntry } from "../../harness/contracts/module-ref.ts";
import { brokenLocks } from "./broken/registry.ts";
import { npmLocks } from "./npm/registry.ts";

/** Every lock that ships, in the order in which it is listed. */
export const lockRegistry: readonly LockRegistryEntry[] = [
  {
    name: "none",
    summary: "The control: no lock, but the worker looks whether its delivery is still the latest",
    module: "locks/none",
    family: "control",
  },
  {
    name: "none-literal",
    summary: "The control as in the article: no lock and no look",
    module: "locks/none",
    family: "control",
  },
  {
    name: "set-nx",
    summary: "SET NX PX with a random token; released by a script that checks the token",
    module: "locks/set-nx",
    family: "own",
  },
  {
    name: "set-nx-renewing",
    summary: "set-nx, renewed on a timer, with a signal when the hold is lost",
    module: "locks/set-nx-renewing",
    family: "own",
  },
  {
    name: "set-nx-fenced",
    summary: "set-nx with a fencing token minted in the step that grants",
    module: "locks/set-nx-fenced",
    family: "own",
    soundBut: {
      "pause-before-check": "it does not look at how long its grant took",
      "late-replies": "it does not look at how long its grant took",
      "delayed-fence": "it does not look at how long its grant took",
      "redis-stop": "it does not look at how long its grant took",
      "slow-job": "a fence keeps a late writer out only after the next one has written",
      "failover-lost-write": "its keys are gone, the counter of its tokens included",
      "minority-primary": "two servers grant, each with a counter of its own",
      "reset-after-release": "its client sends a release again whose reply was lost, and believes the second reply",
      eviction: "its keys are evicted, the counter of its tokens included",
      flush: "its keys are gone, the counter of its tokens included",
      outage: "its keys are gone, the counter of its tokens included",
    },
  },
  {
    name: "set-nx-done-marker",
    summary: "set-nx that remembers finished work, so that later redeliveries are refused too",
    module: "locks/set-nx-done-marker",
    family: "own",
  },
  {
    name: "redlock",
    summary: "Redlock on independent nodes: a majority in time, or nothing",
    module: "locks/redlock",
    family: "own",
  },
  {
    name: "mutex-server",
    summary: "The negative control of the checks: a mutex in the orchestrator, outside all faults, and none to use",
    module: "locks/mutex-server",
    family: "own",
    soundBut: {},
  },
  ...npmLocks,
  {
    name: "bullmq",
    summary: "BullMQ 6: the lock that its Workers hold on a job while they run it, and no other",
    module: "locks/none",
    family: "npm",
    needsPackage: "bullmq@6.7.0",
    queue: "bullmq",
  },
  ...brokenLocks,
];
