import { join } from "node:path";
import type { LockPlan, PlannedArm, PlannedRound } from "../../contracts/lock-plan.ts";
import { MUTEX_SERVER } from "../../contracts/mutex-server.ts";
import type { QueueModule, QueueProducer } from "../../contracts/queue.ts";
import { faultNamed } from "../../faults/registry.ts";
import { exportedFunction, loadModule } from "../../load-module.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { keyPrefixOf } from "../../redis/leftover-runs.ts";
import type { RedisNodeHandle } from "../../redis/node-handle.ts";
import { makeFolders, writing } from "../../storage-error.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import type { WorkerAssignment } from "../messages.ts";
import type { RemoteHosts } from "../remote/hosts.ts";
import { startTrace, type TraceRecorder } from "../trace/recorder.ts";
import { readWitness, type WitnessReader } from "../witness/reader.ts";
import { unlessAborted } from "./abort.ts";
import { type ArmRoundPhase, type ArmRoundTrace, journalPath, runArmRound } from "./arm-round.ts";
import { type LockField, openField } from "./field.ts";
import { createRoster, type Roster, type StartWorkerProcess } from "./roster.ts";
import type { Surroundings } from "./surroundings.ts";
import { startWorkerProcess } from "./worker-process.ts";

/** Where a run is: told at each change of phase. */
export interface LockProgress {
  phase: "starting" | "load" | "drain" | "end";
  arm: string;
  round: number;
  rounds: number;
  /** Rounds of arms that are over, of so many. */
  done: number;
  of: number;
  /** Jobs sent in this round so far; ask again at any time. */
  jobsSent(): number;
  /** Effects beyond the first one of each job in this round so far. */
  surplusEffects(): Promise<number>;
  /** Names of the faults in force; ask again at any time. */
  activeFaults(): readonly string[];
}

export interface LockRunOptions {
  plan: LockPlan;
  runId: string;
  /** The run folder; journals are written below it. */
  folder: string;
  /** A folder for servers, removed at the end. */
  temporaryFolder: string;
  redis: RedisInstallation;
  surroundings: Surroundings;
  supervisor: Supervisor;
  /** Servers that run already and are not owned. Empty: the run starts its own. */
  redisUrls: readonly string[];
  /** A Toxiproxy server to use in place of the harness's own proxy. */
  toxiproxyUrl?: string | undefined;
  /** Hosts that have joined, for the workers that are theirs. */
  hosts?: RemoteHosts | undefined;
  /** CLOCK_MONOTONIC at the start, ns, decimal: the zero of the journals. */
  startedAtMonotonicNs: string;
  /** Ends the run before its time: load stopped, faults healed, what was recorded kept. */
  signal: AbortSignal;
  onProgress(progress: LockProgress): void;
}

interface Turn {
  round: PlannedRound;
  arm: PlannedArm;
  armIndex: number;
}

/**
 * Carries a lock plan out on real processes and writes facts only, into one journal per process and round. Whatever
 * happens, servers, proxy and workers are gone when it returns.
 * @throws Error when the run could not go on; what was recorded until then stays in the journals
 */
export async function runLockExperiment(options: LockRunOptions): Promise<void> {
  const opening = openField({ ...options, keyPrefix: keyPrefixOf(options.runId) });
  const field = await unlessAborted(options.signal, opening).catch((error: unknown) => {
    // What still comes up has nobody to wait for it.
    void opening.then((late) => late.close()).catch(() => {});
    throw error;
  });
  try {
    await playLockPlan({ ...options, field, rehearses: true });
  } finally {
    await field.close();
  }
}

export interface LockPlayOptions extends Omit<LockRunOptions, "redis" | "redisUrls" | "surroundings"> {
  /** Servers and network that fit the plan. They are emptied before each round, and stay. */
  field: LockField;
  /** True: a worker makes each lock before anything is measured, so that one that cannot be made is told at once. */
  rehearses: boolean;
  /** How long workers may take to end beyond TTL and longest job, ms. */
  finishGraceMs?: number;
  /** Starts the workers' processes. Absent: every worker is a new one. */
  startProcess?: StartWorkerProcess;
}

const FINISH_GRACE_MS = 10_000;

/** The same on servers that are there already. The workers are gone when it returns. */
export async function playLockPlan(options: LockPlayOptions): Promise<void> {
  const { plan, folder, field } = options;
  writing(folder, () => makeFolders(join(folder, "journals")));
  const turns = turnsOf(plan);
  const [first] = turns;
  if (!first) throw new Error("the plan has no rounds");

  // Whatever breaks the run off ends it in the same order as a signal from outside.
  const breaking = new AbortController();
  const signal = AbortSignal.any([options.signal, breaking.signal]);
  const breakOff = (error: unknown) => breaking.abort(error);
  field.broken.catch(breakOff);
  void options.supervisor.lost.then(breakOff);
  options.hosts?.begin(field, options.startedAtMonotonicNs);
  options.hosts?.lost.catch(breakOff);
  const witness = readWitness(field.witnessNode);
  const makeRoster = (turn: Turn) => rosterFor(turn, options);
  let next: Roster | undefined;
  try {
    next = makeRoster(first);
    if (options.rehearses) await rehearse(turns, options);
    for (const [index, turn] of turns.entries()) {
      if (signal.aborted) break;
      const roster: Roster = next ?? makeRoster(turn);
      next = undefined;
      const following = turns[index + 1];
      roster.broken.catch(breakOff);
      await playTurn(turn, { ...options, signal, breakOff, field, witness, roster }, (phase) => {
        options.onProgress(progressOf(turn, index, turns.length, plan, phase, witness));
        // The next workers start while this queue drains, so that no time is lost on them.
        if (phase.phase === "drain" && following && !signal.aborted) next = makeRoster(following);
      });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    next?.kill();
    witness.close();
  }
  if (!options.signal.aborted) breaking.signal.throwIfAborted();
}

/** How long createLock may take while nothing is wrong with its servers yet, ms. */
const REHEARSED_CREATION_MS = 10_000;

/**
 * Has one worker make each lock under test and connect, before any load: a lock that cannot be made, or breaks its
 * contract, is told at once and not in the middle of a run.
 */
async function rehearse(turns: readonly Turn[], options: LockPlayOptions): Promise<void> {
  const locks = turns.filter(({ round, arm }) => round === turns[0]?.round && arm.role === "lock");
  await Promise.all(
    locks.map(async (turn) => {
      const roster = rosterFor(turn, { ...options, plan: { ...options.plan, workers: 1 } }, "rehearsal");
      try {
        await roster.load();
        await roster.connect(undefined, REHEARSED_CREATION_MS);
      } finally {
        roster.kill();
      }
    }),
  );
}

interface TurnOptions extends LockPlayOptions {
  witness: WitnessReader;
  roster: Roster;
  /** Ends the run before its time, for this reason. */
  breakOff(error: unknown): void;
}

async function playTurn(turn: Turn, options: TurnOptions, onPhase: (phase: ArmRoundPhase) => void): Promise<void> {
  const { plan, field, witness, roster, folder, signal, startedAtMonotonicNs, breakOff } = options;
  const { round, arm, armIndex } = turn;
  const queue = plan.load.kind === "open" ? await createQueue(plan, field, options.runId) : undefined;
  const longestJobMs = Math.max(0, ...round.arrivals.map(({ durationUs }) => durationUs / 1000));
  try {
    await unlessAborted(signal, roster.load());
    await unlessAborted(signal, Promise.all([field.empty(), witness.empty()]));
    await runArmRound({
      ...{ arm, round, roster, queue, witness, signal, startedAtMonotonicNs, onPhase },
      onJournalFailure: breakOff,
      roundMs: plan.roundMs,
      drainLimitMs: plan.ttlMs + 2 * plan.visibilityMs + longestJobMs + 5_000,
      finishLimitMs: plan.ttlMs + longestJobMs + (options.finishGraceMs ?? FINISH_GRACE_MS),
      journalFile: journalPath(folder, round.round, armIndex, "orchestrator"),
      trace: plan.trace ? armRoundTrace(field.topology.clientNodes, BigInt(startedAtMonotonicNs)) : undefined,
      field: { nodes: field.topology.nodes, topology: field.topology, network: field.network },
      answers: field.answers,
      definitionOf(name) {
        const fault = faultNamed(name);
        if (!fault) throw new Error(`there is no fault named ${name}`);
        return fault;
      },
    });
  } finally {
    roster.kill();
    await queue?.close();
  }
}

/** How long the end of a trace may wait for what is on its way, ms. */
const TRACE_END_MS = 2_000;

function armRoundTrace(nodes: readonly RedisNodeHandle[], startNs: bigint): ArmRoundTrace {
  let recorder: Promise<TraceRecorder> | undefined;
  return {
    async start(templates, journal) {
      recorder = startTrace({ nodes, templates, journal, startNs });
      await recorder;
    },
    async stop() {
      const begun = recorder;
      recorder = undefined;
      const running = await begun?.catch(() => undefined);
      await running?.stop(TRACE_END_MS);
    },
  };
}

/** Every round of every arm, in the order of the plan. */
function turnsOf(plan: LockPlan): Turn[] {
  return plan.rounds.flatMap((round) =>
    round.order.map((armIndex) => ({ round, arm: plan.arms[armIndex] as PlannedArm, armIndex })),
  );
}

async function createQueue(plan: LockPlan, field: LockField, runId: string): Promise<QueueProducer> {
  const module = await loadModule(plan.queue.path);
  const create = exportedFunction<QueueModule["createProducer"]>(module, "createProducer", plan.queue.path);
  const { options = {} } = plan.queue;
  return create({
    ...{ node: field.queueNodeDirect, keyPrefix: keyPrefixOf(runId), visibilityMs: plan.visibilityMs, options },
  });
}

function rosterFor(
  { round, arm, armIndex }: Turn,
  {
    plan,
    runId,
    folder,
    temporaryFolder,
    supervisor,
    hosts,
    field,
    startProcess,
    startedAtMonotonicNs,
  }: LockPlayOptions,
  purpose: "play" | "rehearsal" = "play",
): Roster {
  const assign = (worker: number, incarnation: number): WorkerAssignment => ({
    ...{ worker, incarnation, startedAtMonotonicNs },
    arm: arm.name,
    round: round.round,
    journalFile:
      purpose === "play"
        ? journalPath(folder, round.round, armIndex, `worker${worker}.${incarnation}`)
        : join(temporaryFolder, `rehearsal-${armIndex}.ndjson`),
    lock: lockOf(arm, field),
    queue: plan.queue,
    job: plan.job,
    lockNodes: field.lockNodes,
    queueNode: field.queueNode,
    witnessNode: field.witnessNode,
    keyPrefix: keyPrefixOf(runId),
    ttlMs: plan.ttlMs,
    ...(plan.renewEveryMs === undefined ? {} : { renewEveryMs: plan.renewEveryMs }),
    visibilityMs: plan.visibilityMs,
    claimIntervalMs: plan.claimIntervalMs,
    concurrency: plan.concurrency,
    ...(plan.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: plan.commandTimeoutMs }),
    look: arm.look,
    ack: plan.ack,
    onSkip: plan.onSkip,
    enforceFencing: plan.fencing === "on",
    ...field.markOf(worker),
    ...(plan.load.kind === "max" ? { saturation: plan.load } : {}),
  });
  const roster = createRoster({
    assignments: Array.from({ length: plan.workers }, (_, index) => assign(index + 1, 1)),
    supervisor,
    startProcess: hosts
      ? (process) => startWorkerProcess(hosts.plays(process.assignment.worker) ? hosts.equip(process) : process)
      : startProcess,
    reassign: ({ worker, incarnation }) => assign(worker, incarnation + 1),
  });
  // Begun at once; whoever plays the round waits for it, and hears of its failure there.
  roster.load().catch(() => {});
  return roster;
}

/** The module of an arm's lock with its options, and for the mutex server's with its address. */
function lockOf({ lock }: PlannedArm, { mutexAddress }: LockField): WorkerAssignment["lock"] {
  return lock.name === MUTEX_SERVER ? { ...lock, options: { ...lock.options, address: mutexAddress } } : lock;
}

function progressOf(
  turn: Turn,
  done: number,
  of: number,
  plan: LockPlan,
  phase: ArmRoundPhase,
  witness: WitnessReader,
): LockProgress {
  return {
    phase: phase.phase,
    arm: turn.arm.name,
    round: turn.round.round,
    rounds: plan.rounds.length,
    ...{ done, of },
    surplusEffects: witness.surplus,
    jobsSent: phase.phase === "load" ? phase.jobsSent : () => turn.round.arrivals.length,
    activeFaults: phase.phase === "load" ? phase.activeFaults : () => [],
  };
}
