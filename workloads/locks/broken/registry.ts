import type { LockRegistryEntry } from "../../../harness/contracts/module-ref.ts";

type BrokenEntry = Omit<LockRegistryEntry, "family"> & {
  wrongThought: string;
  caughtBy: NonNullable<LockRegistryEntry["caughtBy"]>;
};

const entries: readonly BrokenEntry[] = [
  {
    name: "broken-release-without-owner",
    summary: "set-nx whose release deletes the key, whoever's it is",
    module: "locks/broken/release-without-owner",
    wrongThought: "Whoever releases a lock is its holder",
    caughtBy: { scenario: "overrun-release", check: "ownership" },
  },
  {
    name: "broken-get-then-del",
    summary: "set-nx whose release looks at the owner, then deletes",
    module: "locks/broken/get-then-del",
    wrongThought: "What GET saw is still so when DEL arrives",
    caughtBy: { scenario: "delayed-delete", check: "ownership" },
  },
  {
    name: "broken-setnx-then-pexpire",
    summary: "SETNX, and the lease by a command of its own",
    module: "locks/broken/setnx-then-pexpire",
    wrongThought: "Nothing happens to a client between two of its commands",
    caughtBy: { scenario: "kill-between", check: "orphan lock" },
  },
  {
    name: "broken-fence-after-set",
    summary: "set-nx with a fencing token by an INCR after the SET",
    module: "locks/broken/fence-after-set",
    wrongThought: "Whoever has the lock can take its time with the fencing token",
    caughtBy: { scenario: "delayed-fence", check: "fencing" },
  },
  {
    name: "broken-redlock-without-validity",
    summary: "Redlock that does not look at how long its majority took",
    module: "locks/broken/redlock-without-validity",
    wrongThought: "A majority is a majority, however late it comes",
    caughtBy: { scenario: "late-replies", check: "validity" },
  },
  {
    name: "broken-renewal-outlives-release",
    summary: "A renewing lock whose release leaves the timer alone",
    module: "locks/broken/renewal-outlives-release",
    wrongThought: "The renewal notices by itself that the key is gone",
    caughtBy: { scenario: "release-races-renewal", check: "hygiene" },
  },
  {
    name: "broken-wall-clock",
    summary: "A lease as a time of day in the value, judged by each client's own clock",
    module: "locks/broken/wall-clock-of-client",
    wrongThought: "All machines agree on what time it is",
    caughtBy: { scenario: "client-clock-step", check: "exclusion", and: ["linearizability"] },
  },
  {
    name: "broken-reentrant-by-process",
    summary: "A lock whose token is the process, which may therefore enter twice",
    module: "locks/broken/reentrant-by-process",
    wrongThought: "A process does one thing at a time",
    caughtBy: { scenario: "own-redelivery", check: "exclusion", and: ["duplicates"] },
  },
  {
    name: "broken-no-ttl",
    summary: "SET NX without a TTL",
    module: "locks/broken/no-ttl",
    wrongThought: "Whoever takes a lock lives to release it",
    caughtBy: { scenario: "kill-holder", check: "liveness", and: ["lost work", "orphan lock"] },
  },
  {
    name: "broken-never-tells",
    summary: "A renewing lock that does not look what came of its renewals",
    module: "locks/broken/never-tells",
    wrongThought: "A renewal that was sent has renewed",
    caughtBy: { scenario: "blocked-loop", check: "late effects" },
  },
  {
    name: "broken-waits-for-release",
    summary: "Who is refused waits for the holder's word that it has released, and for nothing else",
    module: "locks/broken/waits-for-release",
    wrongThought: "A lock becomes free by being released",
    caughtBy: { scenario: "kill-holder", check: "hang" },
  },
];

/** Locks that are wrong on purpose: each proves that its check finds what it is there for. */
export const brokenLocks: readonly LockRegistryEntry[] = entries.map((entry) => ({ ...entry, family: "broken" }));
