import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlannedArm, PlannedRound } from "../../contracts/lock-plan.ts";
import type { QueueProducer } from "../../contracts/queue.ts";
import { messageOf } from "../../errors.ts";
import type { FaultDefinition, FaultField } from "../../faults/fault.ts";
import { type Journal, openJournal } from "../journal.ts";
import type { KeyTemplate } from "../trace/key-templates.ts";
import type { WitnessReader } from "../witness/reader.ts";
import { sleepUnlessAborted, unlessAborted } from "./abort.ts";
import { type DrainResult, drainQueue } from "./drain.ts";
import { recordFailovers } from "./failovers.ts";
import { driveFaults } from "./fault-driver.ts";
import { produce, warmUpProducer } from "./producer.ts";
import type { Roster } from "./roster.ts";

/** One round of one arm: what it needs, all of it ready and empty. */
export interface ArmRoundOptions {
  arm: PlannedArm;
  round: PlannedRound;
  roundMs: number;
  /** How long the queue may take to drain after the last fault is healed, ms. */
  drainLimitMs: number;
  /** How long a worker may take to end its running jobs, ms. */
  finishLimitMs: number;
  journalFile: string;
  startedAtMonotonicNs: string;
  roster: Roster;
  queue: QueueProducer | undefined;
  witness: WitnessReader;
  /** Present where the commands of the lock's nodes are traced. */
  trace: ArmRoundTrace | undefined;
  field: Omit<FaultField, "workers">;
  /** Rejects when something does not answer the way workers reach it. */
  answers(): Promise<void>;
  definitionOf(name: string): FaultDefinition;
  signal: AbortSignal;
  /** The journal cannot be written any more. */
  onJournalFailure(error: unknown): void;
  onPhase(phase: ArmRoundPhase): void;
}

/** The command trace of one round of an arm: begun when the workers are connected, ended when they are gone. */
export interface ArmRoundTrace {
  start(keys: readonly KeyTemplate[], journal: Journal): Promise<void>;
  /** Takes down what is still on its way. May be called again. */
  stop(): Promise<void>;
}

/** How long after an event the orchestrator's journal is written, ms. */
const JOURNAL_AFTER_MS = 20;

/** How long workers may take to end, and the witness to tell, when the run is ended before its time, ms. */
const ABORTED_FINISH_MS = 500;
const ABORTED_READ_MS = 3_000;

export type ArmRoundPhase =
  | { phase: "load"; jobsSent(): number; activeFaults(): string[] }
  | { phase: "drain" }
  | { phase: "end" };

/**
 * Connects the workers, lets the load and the faults run, heals, drains, ends the workers, and takes down the witness's
 * log. Everything that happened is in the journals afterwards, also when the signal aborted it half-way.
 */
export async function runArmRound(options: ArmRoundOptions): Promise<void> {
  const { arm, round, roster, journalFile, startedAtMonotonicNs } = options;
  const journal = openJournal({
    file: journalFile,
    startedAtMonotonicNs,
    round: round.round,
    arm: arm.name,
    worker: 0,
    writeAfterMs: JOURNAL_AFTER_MS,
    onFailure: options.onJournalFailure,
  });
  try {
    await play(options, journal);
    await end(options, journal);
  } finally {
    roster.kill();
    await options.trace?.stop();
    journal.close();
  }
}

async function play(options: ArmRoundOptions, journal: Journal): Promise<void> {
  const { round, roundMs, roster, queue, trace, field, definitionOf, signal, onPhase } = options;
  await unlessAborted(signal, queue?.setup());
  const keys = await unlessAborted(signal, roster.connect(journal));
  await unlessAborted(signal, trace?.start(keys ?? [], journal));
  const driver = driveFaults({
    faults: round.faults,
    field: { ...field, workers: roster.workers },
    startNs: BigInt(options.startedAtMonotonicNs),
    ...{ definitionOf, journal, roundMs, signal },
    isControl: options.arm.role === "control",
  });
  roster.onTrigger(driver.triggered);
  const endWatch = await recordFailovers(field.topology, journal, BigInt(options.startedAtMonotonicNs));
  try {
    if (queue) await unlessAborted(signal, warmUpProducer());
    await unlessAborted(signal, driver.injectInitial());
    await unlessAborted(signal, roster.go(driver.triggersFor));
    const loadStartNs = journal.now();
    mark(journal, "load-start", loadStartNs);
    driver.start(loadStartNs);
    const production = queue && produce(round.arrivals, { queue, journal, loadStartNs, signal });
    onPhase({ phase: "load", jobsSent: () => production?.count() ?? 0, activeFaults: driver.active });
    await sleepUnlessAborted(roundMs - (journal.now() - loadStartNs) / 1e6, signal);
    await production?.sent;
    mark(journal, "load-end");
    await driver.allOver();
    await driver.healAll();
    mark(journal, "healed");
    await unlessAborted(signal, verifyAnswers(options, journal));
    onPhase({ phase: "drain" });
    if (queue) {
      await unlessAborted(signal, production?.settled());
      const result = await unlessAborted(signal, drainQueue(queue, options.drainLimitMs, signal));
      mark(journal, result.drained ? "drained" : "gave-up", undefined, result);
    }
  } catch (error) {
    // The run is being ended: what was recorded counts, and the rest of the round is left out.
    if (!signal.aborted) throw error;
  } finally {
    await driver.healAll();
    endWatch();
  }
}

/** A system that does not answer after everything was healed leaves the run in doubt: written down, not thrown. */
async function verifyAnswers({ answers }: ArmRoundOptions, journal: Journal): Promise<void> {
  try {
    await answers();
  } catch (error) {
    mark(journal, "no-answer", undefined, { error: messageOf(error) });
  }
}

async function end(
  { roster, witness, trace, finishLimitMs, signal, onPhase }: ArmRoundOptions,
  journal: Journal,
): Promise<void> {
  onPhase({ phase: "end" });
  const killed = await roster.finish(signal.aborted ? ABORTED_FINISH_MS : finishLimitMs);
  for (const name of killed) mark(journal, "worker-killed", undefined, { name });
  await trace?.stop();
  const entries = witness.entries();
  const inTime = signal.aborted ? Promise.race([entries, sleep(ABORTED_READ_MS, [])]) : entries;
  for (const { execution, job, key, outcome, fencingToken, ...detail } of await inTime) {
    const fence = fencingToken === undefined ? {} : { fencingToken };
    journal.record({ op: "witness", phase: "info", execution, job, key, outcome, detail, ...fence });
  }
}

function mark(journal: Journal, outcome: string, atNs?: number, detail?: DrainResult | Record<string, unknown>): void {
  journal.record({
    op: "round",
    phase: "info",
    outcome,
    ...(atNs === undefined ? {} : { atNs }),
    ...(detail === undefined ? {} : { detail: { ...detail } }),
  });
}

/** Journals of a run: one file per process and round, merged into the history at the end. */
export function journalPath(folder: string, round: number, armIndex: number, who: string): string {
  return join(folder, "journals", `round${round}-arm${armIndex + 1}-${who}.ndjson`);
}
