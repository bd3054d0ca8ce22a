import type { Check, CheckedRun, Evidence } from "../contracts/check.ts";
import { lockRounds } from "./arms.ts";
import { assumptionBetween } from "./assumptions.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { linearize, type Unexplained } from "./linearizability/linearize.ts";
import { FREE, type ModelOperation } from "./linearizability/model.ts";
import { type LockOperation, lockOperations, type Source } from "./linearizability/operations.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { duration, excerpt, withArticle, worker } from "./words.ts";

const CLASSES = {
  "granted while held": "A grant that no order explains: the key was held, and could not have expired",
  "released without holding": "A release succeeded that no order explains: the caller could not hold the key",
  "extended without holding": "An extension succeeded that no order explains: the caller could not hold the key",
  "owner told it is not": "A release or an extension was told that it is not the owner, though it had to be",
  "refused while free": "A refusal that no order explains: nobody could hold the key",
} as const;

/** What a key's operations answered must be what one key, used by one caller after the other, could have answered. */
export const linearizability: Check = {
  name: "linearizability",
  summary: "The answers of each key's operations fit an order that a single lock could have gone through",
  classes: CLASSES,
  check(run) {
    const cases = lockRounds(run)
      .map(indexRound)
      .filter((index) => capabilitiesOf(index).decides)
      .flatMap((index) => casesIn(index, run));
    return findingsOf(linearizability.name, cases, "key");
  },
};

function casesIn(index: RoundIndex, { plan }: CheckedRun): Case[] {
  const cases: Case[] = [];
  for (const [key, operations] of lockOperations(index, plan)) {
    const verdict = linearize(operations);
    if (verdict.linearizable === "too many orders") {
      throw new Error(`the operations on ${key} have too many possible orders to look at them all`);
    }
    if (!verdict.linearizable) cases.push(describe(index, key, operations, verdict.unexplained));
  }
  return cases;
}

const CLASS_OF: Record<ModelOperation["kind"], keyof typeof CLASSES> = {
  acquire: "granted while held",
  release: "released without holding",
  extend: "extended without holding",
  "not-owner": "owner told it is not",
  refused: "refused while free",
  expire: "refused while free",
};

function describe(
  index: RoundIndex,
  key: string,
  operations: readonly LockOperation[],
  { operation, possible }: Unexplained<Source>,
): Case {
  const kind = CLASS_OF[operation.kind];
  const holders = operations.filter((each) => each.kind === "acquire" && possible.includes(each.hold));
  const fromNs = Math.min(operation.calledNs, ...holders.map(({ calledNs }) => calledNs));
  const assumption = assumptionBetween(index, fromNs, operation.returnedNs);
  const execution = operation.source?.execution;
  const label = assumption ? ` ${capital(withArticle(assumption.name))} had come in between.` : "";
  return {
    index,
    class: kind,
    weight: assumption ? 0 : 1,
    message: `On ${key}, ${execution ? worker(execution) : "a worker"} was ${ANSWERS[operation.kind]}, and no order of the operations explains it.${label}`,
    evidence: () => [
      ...excerpt(
        ...holders.slice(0, 3).flatMap((holder) => shown(holder, operations)),
        ...(possible.includes(FREE) ? lastRelease(operations, operation) : []),
        [assumption?.event, assumption?.name ?? ""],
        [operation.source?.invoke, "this is asked for"],
        [operation.source?.end, `and answered: ${ANSWERS[operation.kind]}`],
      ),
    ],
  };
}

const ANSWERS: Record<ModelOperation["kind"], string> = {
  acquire: "granted the key",
  release: "told that it released the key",
  extend: "told that it extended its hold",
  "not-owner": "told that it is not the owner",
  refused: "refused",
  expire: "past its time",
};

type Line = readonly [Evidence | undefined, string];

/** A hold that had the key in one of the possible orders, and from when on it could have expired. */
function shown(holder: LockOperation, operations: readonly LockOperation[]): Line[] {
  const of = operations.filter(({ hold }) => hold === holder.hold);
  const expires = of.find((each) => each.kind === "expire");
  const renewal = of.findLast((each) => each.kind === "extend");
  const from = (renewal ?? holder).source?.invoke;
  const until = expires && from ? `; it cannot expire within ${duration(expires.calledNs - from.atNs)} from here` : "";
  const { source } = holder;
  return [
    [source?.invoke, `a hold is asked for${from === source?.invoke ? until : ""}`],
    [source?.end, source?.end?.phase === "ok" ? "and granted" : "and nobody knows whether it was granted"],
    ...(renewal ? [[renewal.source?.invoke, `the hold is extended${until}`] as const] : []),
  ];
}

/** The release after which the key was free. */
function lastRelease(operations: readonly LockOperation[], { returnedNs }: LockOperation): Line[] {
  const released = operations
    .filter((each) => each.kind === "release" && !each.optional && each.calledNs < returnedNs)
    .reduce<LockOperation | undefined>(
      (last, each) => (last && last.returnedNs > each.returnedNs ? last : each),
      undefined,
    );
  return [[released?.source?.end, "the key is released, and free"]];
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
