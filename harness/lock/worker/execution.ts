import type { Job } from "../../contracts/job.ts";
import type { AcquireOutcome, Lock, ReleaseOptions, ReleaseOutcome } from "../../contracts/lock-adapter.ts";
import type { Delivery, DeliveryGoneError } from "../../contracts/queue.ts";
import type { EffectOutcome, Witness } from "../../contracts/witness.ts";
import { messageOf } from "../../errors.ts";
import type { Journal, JournalEntry } from "../journal.ts";
import type { WorkerAssignment } from "../messages.ts";
import type { WitnessClient } from "../witness/client.ts";
import { acquireAnswer, ContractBreach, promised, releaseAnswer } from "./contract-answers.ts";
import { renewByHand } from "./renewal.ts";
import type { Triggers } from "./triggers.ts";
import type { WallClock } from "./wall-clock.ts";

export interface ExecutionTools {
  assignment: WorkerAssignment;
  lock: Lock;
  job: Job;
  witness: WitnessClient;
  journal: Journal;
  clock: WallClock;
  triggers: Triggers;
  /** The holds of this worker, by token, that want to hear of a loss. */
  holds: Map<string, AbortController>;
  /** The lock broke its contract: the run ends with this reason. */
  breach(breach: ContractBreach): void;
}

/** Pause between two tries to acknowledge, ms. */
const ACK_RETRY_MS = 20;

/**
 * What a worker does with one delivery: acquire, look whether the delivery is still the latest, do the job,
 * acknowledge, release; or, with `--ack after`, release and then acknowledge. Every step goes into the journal.
 */
export async function execute(delivery: Delivery, tools: ExecutionTools): Promise<void> {
  const { assignment, journal } = tools;
  const { job, key, attempt } = delivery;
  const execution = `${job}/${attempt}@${assignment.worker}.${assignment.incarnation}`;
  const record = (entry: Omit<JournalEntry, "job" | "key" | "execution">) =>
    journal.record({ ...entry, job, key, execution, attempt });
  record({ op: "deliver", phase: "ok", ...(attempt > 1 ? { outcome: "redelivered" } : {}) });

  const hold = await acquire(delivery, tools, record);
  if (!hold) return;
  const leaseEndsAtNs = hold.invokedAtNs + assignment.ttlMs * 1e6;
  if (assignment.look && !(await look(delivery, record))) {
    await release(hold, delivery, tools, record);
    return;
  }
  if (!(await perform(hold, delivery, execution, tools, record))) {
    await release(hold, delivery, tools, record);
    return;
  }
  if (assignment.ack === "after") {
    await release(hold, delivery, tools, record, { done: true });
    await acknowledgeUntil(Number.POSITIVE_INFINITY, delivery, tools, record);
    return;
  }
  // Unconfirmed at the end of the lease, the lock is left to expire: a release would invite the redelivery in. A job that
  // outlived its lease is acknowledged all the same, for as long as the queue would leave it alone. One that the queue
  // refused for good comes again in any case.
  // A hold that lasts as long as its connection would keep everyone out for good.
  const lapses = tools.lock.capabilities.lease !== "connection";
  const lapsesAtNs = Math.max(leaseEndsAtNs, journal.now() + assignment.visibilityMs * 1e6);
  const deadlineNs = lapses ? lapsesAtNs : Number.POSITIVE_INFINITY;
  if ((await acknowledgeUntil(deadlineNs, delivery, tools, record)) !== "unknown") {
    await release(hold, delivery, tools, record, { done: true });
  } else endHold(hold, tools);
}

type RecordStep = (entry: Omit<JournalEntry, "job" | "key" | "execution">) => void;

interface Hold {
  token: string;
  fencingToken?: number;
  invokedAtNs: number;
  lost: AbortController;
  renewal?: { stop(): void };
}

async function acquire(delivery: Delivery, tools: ExecutionTools, record: RecordStep): Promise<Hold | undefined> {
  const { assignment, lock, journal, clock, triggers } = tools;
  const { signal } = new AbortController();
  // Written before the command leaves, so that no kill can hide the call. What a worker does while it waits for the server
  // can keep the processor from it, and would be part of the latency: the next job is asked for first, and the calls of all
  // jobs that came together are written at once.
  record({ op: "acquire", phase: "invoke" });
  await undefined;
  journal.flush();
  const invokedAtNs = journal.now();
  const { outcome, atNs } = await answerOf(() => lock.acquire(delivery.key, assignment.ttlMs, { signal }), tools);
  const detail = { tookNs: atNs - invokedAtNs };
  if (outcome.outcome === "granted") {
    const { token, fencingToken, validUntil } = outcome;
    record({
      atNs,
      op: "acquire",
      phase: "ok",
      outcome: "granted",
      token,
      wallMs: clock.now(),
      ...(fencingToken === undefined ? {} : { fencingToken }),
      ...(validUntil === undefined ? {} : { validUntilMs: validUntil }),
      detail,
    });
    const lost = new AbortController();
    tools.holds.set(token, lost);
    const hold: Hold = { token, ...(fencingToken === undefined ? {} : { fencingToken }), invokedAtNs, lost };
    renew(hold, delivery, tools, record);
    triggers.happened("grant", atNs);
    return hold;
  }
  if (outcome.outcome === "refused") {
    const { reason } = outcome;
    record({
      atNs,
      op: "acquire",
      phase: "fail",
      outcome: "refused",
      detail: { ...detail, ...(reason ? { reason } : {}) },
    });
    await skip(reason === "done" ? "done" : "refused", delivery, tools, record);
    return undefined;
  }
  const phase = outcome.outcome === "failed" ? "fail" : "info";
  record({ atNs, op: "acquire", phase, outcome: outcome.outcome, error: describeError(outcome), detail });
  record({ op: "skip", phase: "info", outcome: "failed" });
  return undefined;
}

/** What the lock answers, and when it did: stamped before anything else is done with the answer. */
async function answerOf(
  call: () => Promise<AcquireOutcome>,
  { assignment, journal, breach }: ExecutionTools,
): Promise<{ outcome: AcquireOutcome; atNs: number }> {
  let atNs: number | undefined;
  try {
    const answer = await call();
    atNs = journal.now();
    return { outcome: acquireAnswer(answer, assignment.lock.path), atNs };
  } catch (error) {
    if (error instanceof ContractBreach) breach(error);
    return { outcome: { outcome: "failed", error }, atNs: atNs ?? journal.now() };
  }
}

/** For a lock that leaves renewal to its user, where the run asks for it. */
function renew(hold: Hold, { key }: Delivery, tools: ExecutionTools, record: RecordStep): void {
  const { assignment, lock, journal, clock, breach } = tools;
  const { renewEveryMs, ttlMs } = assignment;
  if (renewEveryMs === undefined || lock.capabilities.renewal !== "manual") return;
  const { token, invokedAtNs } = hold;
  hold.renewal = renewByHand({
    ...{ lock, key, token, ttlMs, record, breach, everyMs: renewEveryMs, leasedAtNs: invokedAtNs },
    path: assignment.lock.path,
    nowNs: journal.now,
    wallMs: clock.now,
    onLost(reason) {
      record({ op: "lost", phase: "info", token, error: reason });
      journal.flush();
      hold.lost.abort(new Error(`the lock was lost: ${reason}`));
    },
  });
}

function describeError({ error, nodeErrors = [] }: Extract<AcquireOutcome, { error: unknown }>): string {
  const nodes = nodeErrors.map(({ node, error: nodeError }) => `node:${node}: ${messageOf(nodeError)}`);
  return [messageOf(error), ...nodes].join("; ");
}

/**
 * A refused job stays pending and comes again, or is acknowledged unexecuted, as `--on-skip` says. One that the lock
 * knows to be done is acknowledged in either case: it would be refused for ever.
 */
async function skip(
  why: "refused" | "done",
  delivery: Delivery,
  { assignment }: ExecutionTools,
  record: RecordStep,
): Promise<void> {
  record({ op: "skip", phase: "info", outcome: why });
  if (assignment.onSkip === "drop") record({ op: "skip", phase: "info", outcome: "dropped" });
  else if (why === "refused") return;
  await delivery.ack().catch((error: unknown) => {
    record({ op: "ack", phase: "fail", error: messageOf(error) });
  });
}

async function look(delivery: Delivery, record: RecordStep): Promise<boolean> {
  record({ op: "look", phase: "invoke" });
  try {
    const latest = await delivery.look();
    record({ op: "look", phase: "ok", outcome: latest ? "current" : "stale" });
    if (!latest) record({ op: "skip", phase: "info", outcome: "stale" });
    return latest;
  } catch (error) {
    record({ op: "look", phase: "fail", error: messageOf(error) });
    record({ op: "skip", phase: "info", outcome: "failed" });
    return false;
  }
}

/** Gives whether the job ended well. */
async function perform(
  hold: Hold,
  delivery: Delivery,
  execution: string,
  tools: ExecutionTools,
  record: RecordStep,
): Promise<boolean> {
  const { job, key } = delivery;
  const { fencingToken, lost } = hold;
  const fenced = fencingToken === undefined ? {} : { fencingToken };
  const witness = journalled(tools.witness.forExecution({ job, key, execution, ...fenced }), hold, tools, record);
  try {
    await tools.job.perform({
      ...{ job, key, execution, ...fenced, witness, work },
      durationMs: delivery.durationUs / 1000,
      signal: lost.signal,
    });
    return true;
  } catch (error) {
    record({ op: "skip", phase: "info", outcome: lost.signal.aborted ? "lost" : "failed", error: messageOf(error) });
    return false;
  }
}

/** The witness with each effect in the journal: before the call, so that a kill cannot hide it, and after. */
function journalled(witness: Witness, hold: Hold, { journal, triggers }: ExecutionTools, record: RecordStep): Witness {
  const { token, fencingToken } = hold;
  const owner = { token, ...(fencingToken === undefined ? {} : { fencingToken }) };
  async function effect(name: string, call: () => Promise<EffectOutcome>): Promise<EffectOutcome> {
    const atNs = journal.now();
    record({ atNs, op: "effect", phase: "invoke", detail: { effect: name }, ...owner });
    journal.flush();
    triggers.happened("effect", atNs);
    try {
      const outcome = await call();
      const word = outcome.accepted ? (outcome.first ? "first" : "repeated") : "fenced";
      record({ op: "effect", phase: "ok", outcome: word, detail: { effect: name }, ...owner });
      return outcome;
    } catch (error) {
      record({ op: "effect", phase: "info", error: messageOf(error), detail: { effect: name }, ...owner });
      throw error;
    }
  }
  return {
    record: (name) => effect(name, () => witness.record(name)),
    read: (document) => witness.read(document),
    write: (document, value) => effect(`write ${document}`, () => witness.write(document, value)),
    writeFenced: (document, value, fence) =>
      effect(`write ${document}`, () => witness.writeFenced(document, value, fence)),
  };
}

/** Tries until the queue confirmed, refused for good, or the time is over. */
async function acknowledgeUntil(
  deadlineNs: number,
  delivery: Delivery,
  { journal }: ExecutionTools,
  record: RecordStep,
): Promise<"confirmed" | "gone" | "unknown"> {
  record({ op: "ack", phase: "invoke" });
  for (;;) {
    const remainingMs = (deadlineNs - journal.now()) / 1e6;
    if (remainingMs <= 0) break;
    try {
      await within(remainingMs, delivery.ack());
      record({ op: "ack", phase: "ok" });
      return "confirmed";
    } catch (error) {
      if (isGone(error)) {
        record({ op: "ack", phase: "fail", outcome: "gone", error: messageOf(error) });
        return "gone";
      }
      record({ op: "ack", phase: "info", error: messageOf(error) });
    }
    await work(ACK_RETRY_MS);
  }
  record({ op: "ack", phase: "info", outcome: "unknown" });
  return "unknown";
}

function isGone(error: unknown): boolean {
  return error instanceof Error && (error as Partial<DeliveryGoneError>).code === "DELIVERY_GONE";
}

async function release(
  hold: Hold,
  { key }: Delivery,
  tools: ExecutionTools,
  record: RecordStep,
  options: ReleaseOptions = {},
): Promise<void> {
  const { lock, journal, triggers } = tools;
  const atNs = journal.now();
  record({ atNs, op: "release", phase: "invoke", token: hold.token });
  journal.flush();
  endHold(hold, tools);
  triggers.happened("release", atNs);
  const outcome = await promised(() => lock.release(key, hold.token, options))
    .then((answer) => releaseAnswer(answer, tools.assignment.lock.path))
    .catch((error: unknown): ReleaseOutcome => {
      if (error instanceof ContractBreach) tools.breach(error);
      return { outcome: "failed", error };
    });
  const phase = outcome.outcome === "released" ? "ok" : outcome.outcome === "unknown" ? "info" : "fail";
  const error = "error" in outcome ? { error: messageOf(outcome.error) } : {};
  record({ op: "release", phase, outcome: outcome.outcome, token: hold.token, ...error });
}

function endHold({ token, renewal }: Hold, { holds }: ExecutionTools): void {
  renewal?.stop();
  holds.delete(token);
}

function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  if (limitMs > 2 ** 31 - 1) return promise;
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no confirmation within ${Math.round(limitMs)} ms`)), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/** Takes the time; rejects at once when the signal is given and aborts. */
function work(durationMs: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, durationMs);
    if (signal?.aborted) aborted();
    else signal?.addEventListener("abort", aborted, { once: true });
  });
}
