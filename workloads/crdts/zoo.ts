import type { OracleName } from "../../harness/contracts/crdt-oracles.ts";

/** What every module in broken/ says of itself: the wrong thought, and the oracles that count as catching it. */
export const zoo: Readonly<Record<string, readonly [string, ...(readonly OracleName[])]>> = {
  "wall-clock-lww": [
    "Servers synchronise their clocks, so the time of day tells which write is the later one",
    "CAUSALITY",
  ],
  "tie-keeps-local": [
    "Two writes with the same timestamp hardly ever happen, and then what is here may stay",
    "DIVERGED",
    "NOT-COMMUTATIVE",
  ],
  "tie-takes-remote": [
    "With the same timestamp, what has just come in is the newer one",
    "DIVERGED",
    "NOT-COMMUTATIVE",
  ],
  "ignores-counter": [
    "The milliseconds and the node's id make a timestamp unique, so the counter need not be compared",
    "CAUSALITY",
  ],
  "stamps-as-strings": ["A timestamp is kept as text, and texts can be compared like numbers", "CAUSALITY"],
  "hlc-without-counter": [
    "A clock that never goes back is enough: nobody writes twice in a millisecond",
    "HLC-REGRESSED",
  ],
  "hlc-never-receives": ["The clock stamps what is written here, and reading a message is not writing", "HLC-RECEIVE"],
  "receive-ignores-remote": [
    "Receiving is an event like any other, so the clock ticks, and the sender's time is the sender's business",
    "HLC-RECEIVE",
  ],
  "receive-resets-counter": ["The clock has just taken over a new time, so counting starts anew", "HLC-RECEIVE"],
  "receive-ignores-wall-clock": [
    "On receiving, the greater of the two clocks counts, as with Lamport's, and the own wall clock comes in with the next write",
    "HLC-RECEIVE",
  ],
  "drift-by-absolute-value": [
    "A stamp that is far off is suspicious in either direction, so an old message is refused as well",
    "HLC-DRIFT",
  ],
  "drift-refused-too-late": [
    "The message is refused, so it does not matter that the clock has been moved before the check",
    "REJECT-MUTATED",
  ],
  "counter-overflow": [
    "Some bits are enough for the counter, as it starts anew with every millisecond",
    "HLC-REGRESSED",
    "HLC-RECEIVE",
  ],
  "clock-not-saved": ["A clock need not be saved: after a restart there is the wall clock again", "HLC-REGRESSED"],
  "single-map-counter": ["One sum per region is enough, since a negative delta makes it smaller", "LOST-UPDATE"],
  "slot-by-local-index": ["A replica is number 0 in its own list of replicas, so slot 0 is its own", "LOST-UPDATE"],
  "merge-by-sum": ["Merging two counters means adding them up", "DOUBLE-COUNT"],
  "maximum-of-difference": [
    "The greater of two values is the later one, so per region the greater difference is kept",
    "LOST-UPDATE",
  ],
  "remote-slot-wins": ["What comes in is newer than what is here", "LOST-UPDATE"],
  "forgets-n": ["The merge of the one half was copied for the other, and never was", "LOST-UPDATE"],
  "shallow-merge": ["Spreading the one object over the other merges them", "LOST-UPDATE", "DOUBLE-COUNT"],
  "id-reused": [
    "A replica that lost its disk can come back under its old name, as the others will tell it what it knew",
    "LOST-UPDATE",
  ],
  "two-phase-set": [
    "A set of what was added and a set of what was removed, and the removed ones are not shown",
    "ADD-LOST",
  ],
  "tag-by-time": ["The region and the time make a tag unique", "ADD-LOST"],
  "tag-without-region": ["A number that counts up makes every add unique", "ADD-LOST"],
  "removes-only-own-tags": [
    "A region may take back what it added itself, and what others added is theirs",
    "RESURRECTED",
  ],
  "no-tombstone": ["What is removed from the set is removed from the state", "RESURRECTED"],
  "tombstones-not-merged": [
    "Tombstones keep old messages away from the one who removed, and the others need none",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "tombstones-not-saved": ["Only what is in the set needs to be on the disk", "RESURRECTED", "LIVE-RELOAD"],
  "sequence-not-saved": ["The counter for tags belongs to the process, and a new process has a new one", "ADD-LOST"],
  "collects-too-early": [
    "A tombstone that this replica has written and sent has done its work",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "collects-by-age": [
    "After the grace period every region has long seen the tombstone",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "collects-by-live-members": [
    "A region that cannot be reached must not stop the collection, so only those that can be are asked",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "collects-by-scalar-clock": [
    "The lowest of all regions' clocks is a horizon that everyone has passed",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "forgets-what-it-collected": [
    "Every region has seen the tombstone, so nobody can send the add any more, old messages in flight apart",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "ignores-only-old-states": [
    "A state that brings nothing new is ignored, so a collected add cannot come back",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
    "NOT-ASSOCIATIVE",
  ],
  "snapshot-shares-live-state": [
    "A snapshot is the state, and copying it for every message would be a waste",
    "INPUT-MUTATED",
  ],
  "drops-one-sided-keys": ["Walking over the own keys covers all there is to merge", "LOST-UPDATE"],
  "json-key-order": [
    "States that are equal have the same JSON, so texts can be compared instead",
    "NOT-COMMUTATIVE",
    "LIVE-RELOAD",
  ],
  "values-lost-in-codec": ["JSON can write any value and read it again", "LIVE-RELOAD", "LOST-UPDATE"],
  "prototype-keys": ["An object literal is a map from strings to values", "LOST-UPDATE", "CAUSALITY"],
  "sort-by-locale": [
    "Names are compared as people compare them, in the order of their language",
    "ADD-LOST",
    "RESURRECTED",
  ],
  "delta-without-gap-check": [
    "A delta is joined like any state, so it does not matter what came before it",
    "ADD-LOST",
    "RESURRECTED",
    "DELTA-FULL",
  ],
  "delta-buffer-cleared": [
    "Once a delta is acknowledged it can leave the buffer, whoever it was that acknowledged it",
    "LOST-UPDATE",
    "DELTA-FULL",
  ],
  "refusal-acknowledged": [
    "A message that cannot be used is dropped, and acknowledged, so that it does not come again and again",
    "LOST-UPDATE",
  ],
  "operation-applied-twice": ["The network delivers every message once", "DOUBLE-COUNT"],
  "dedupe-by-greatest-sequence": [
    "A sequence number that is not above the greatest seen so far must be a duplicate",
    "LOST-UPDATE",
    "NOT-COMMUTATIVE",
  ],
  "remove-before-add-dropped": [
    "Removing what is not there does nothing, so such a remove needs no further thought",
    "RESURRECTED",
    "NOT-COMMUTATIVE",
  ],
  "buffer-lost-at-restart": [
    "What waits for its causes was not applied yet, so it is no part of the state that is saved",
    "ADD-LOST",
    "RESURRECTED",
  ],
  "version-before-applying": [
    "What was received is known, so the version may say so even if it still waits in the buffer",
    "ADD-LOST",
    "RESURRECTED",
  ],
  "batch-in-map-order": [
    "The operations of one message belong together, so they can be kept by kind and applied kind by kind",
    "RESURRECTED",
  ],
  "reset-applied-again": [
    "Setting to zero is idempotent, so a reset needs no check whether it came before",
    "LOST-UPDATE",
  ],
  "forwarder-replaces-origin": [
    "Who passes a message on is its sender, so its operations carry the sender's id",
    "DOUBLE-COUNT",
    "LOST-UPDATE",
  ],
  "local-check-on-stock": ["There is stock as far as this region can see, so it may be sold", "NEGATIVE"],
  "transfer-applied-twice": ["A transfer is a message that says how much to add, and what arrives is added", "RIGHTS"],
  "deletion-without-timestamp": [
    "What is deleted is gone, so there is nothing left to put a timestamp on",
    "RESURRECTED",
  ],
  "view-without-state": [
    "Users see the removal at once in the live view, and the state may follow later",
    "LIVE-RELOAD",
    "RESURRECTED",
  ],
};
