import type { Check, CheckedRun } from "../contracts/check.ts";
import { lockRounds } from "./arms.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { clockErrorNs } from "./clock-error.ts";
import { type Lease, leasesOf } from "./leases.ts";
import { type Case, findingsOf } from "./report.ts";
import { type Execution, indexRound, type Operated, type RoundIndex } from "./round-index.ts";
import { coveredNs, type Span } from "./spans.ts";
import { standstillsOf } from "./standstills.ts";
import { endOfRoundNs } from "./windows.ts";
import { duration, excerpt, worker } from "./words.ts";

/** An operation of the lock comes back within its budget, if only with an error. */
export const hang: Check = {
  name: "hang",
  summary: "Every operation of the lock comes back within the library's stated budget, or TTL + 5 s",
  classes: {
    acquire: "An acquire did not come back in time, though the key was free or no quorum was there",
    extend: "An extension did not come back in time",
    release: "A release did not come back in time",
  },
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => hangsIn(indexRound(armRound), run));
    return findingsOf(hang.name, cases, "operation");
  },
};

/** Beyond the TTL, for libraries that state no budget, ms. */
const GRACE_MS = 5000;

function hangsIn(index: RoundIndex, { plan }: CheckedRun): Case[] {
  const budgetNs = (capabilitiesOf(index).budgetMs ?? plan.ttlMs + GRACE_MS) * 1e6;
  const cases: Case[] = [];
  let leases: ReturnType<typeof leasesOf> | undefined;
  for (const execution of index.executions.values()) {
    for (const [name, operations] of operationsOf(execution)) {
      for (const operation of operations) {
        const pending = pendingSpan(index, execution, operation);
        if (!pending || pending.endNs - pending.startNs <= budgetNs) continue;
        leases ??= leasesOf(index, plan);
        const others = (leases.get(execution.key ?? "") ?? []).filter((lease) => lease.execution !== execution);
        // A wait on a held key is no hang, and a process that stands still can give nothing back.
        const held = name === "acquire" ? others : [];
        const excused = [...held.filter(({ isPossible }) => !isPossible), ...standstillsOf(index, execution.worker)];
        const possible = mayHaveHeld(index, held, { budgetNs, ttlNs: plan.ttlMs * 1e6 });
        const countedNs =
          pending.endNs -
          pending.startNs -
          coveredNs(pending, excused) -
          possibleNs(pending, possible, plan.ttlMs * 1e6);
        if (countedNs > budgetNs) cases.push(describe(index, execution, name, operation, countedNs, budgetNs));
      }
    }
  }
  return cases;
}

/**
 * Those of which nobody knows, as far as they may have held the key with no hang among them. Whoever of them took it first had
 * waited for no other, so that its own wait counts in full: before the first that is within its budget, nobody can have had it.
 */
function mayHaveHeld(
  index: RoundIndex,
  leases: readonly Lease[],
  { budgetNs, ttlNs }: { budgetNs: number; ttlNs: number },
): Span[] {
  const certain = leases.filter(({ isPossible }) => !isPossible);
  const possible = leases.filter(({ isPossible }) => isPossible);
  const first = possible.find(({ execution, startNs, endNs }) => {
    const wait = { startNs, endNs: endNs - ttlNs - 2 * clockErrorNs(index, execution) };
    const excused = [
      ...certain.filter((lease) => lease.execution !== execution),
      ...standstillsOf(index, execution.worker),
    ];
    return wait.endNs - wait.startNs - coveredNs(wait, excused) <= budgetNs;
  });
  if (!first) return [];
  return possible
    .filter(({ endNs }) => endNs > first.startNs)
    .map(({ startNs, endNs }) => ({ startNs: Math.max(startNs, first.startNs), endNs }));
}

/** Nobody knows when such an acquire took the key, if it did: each excuses the length of one lease, one after the other. */
function possibleNs(pending: Span, leases: readonly Span[], ttlNs: number): number {
  const oneByOne = leases.reduce((sum, lease) => sum + Math.min(ttlNs, coveredNs(pending, [lease])), 0);
  return Math.min(oneByOne, coveredNs(pending, leases));
}

type LockOperation = "acquire" | "extend" | "release";

function operationsOf({ acquires, extends: extensions, releases }: Execution): [LockOperation, readonly Operated[]][] {
  return [
    ["acquire", acquires],
    ["extend", extensions],
    ["release", releases],
  ];
}

/** Until its return, the death of its process, or the end of the round. */
function pendingSpan(index: RoundIndex, execution: Execution, { invoke, end }: Operated): Span | undefined {
  if (!invoke) return undefined;
  const died = index.incarnations.get(`${execution.worker}.${execution.incarnation}`)?.ended;
  return { startNs: invoke.atNs, endNs: end?.atNs ?? died?.atNs ?? endOfRoundNs(index) };
}

function describe(
  index: RoundIndex,
  execution: Execution,
  name: LockOperation,
  { invoke, end }: Operated,
  countedNs: number,
  budgetNs: number,
): Case {
  const ending = end ? `came back only after ${duration(countedNs)}` : `had not come back after ${duration(countedNs)}`;
  return {
    index,
    class: name,
    weight: countedNs,
    message: `The ${name} of ${worker(execution)} on ${execution.key} ${ending}; its budget is ${duration(budgetNs)}.`,
    evidence: () =>
      excerpt(
        [invoke, `the call of ${name}`],
        [end, "only now does it come back"],
        [
          end ? undefined : index.armRound.events.findLast(({ op }) => op !== "trace"),
          "the last of the round, and it has not come back",
        ],
      ),
  };
}
