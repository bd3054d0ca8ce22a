import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { commonOptions } from "../config/common-options.ts";
import { absolutePath, baseFolder, type ConfigFile } from "../config/config-file.ts";
import { refuseImpossible } from "../config/impossible.ts";
import { parseRecordedMs, type WrittenJobTime } from "../config/job-time.ts";
import { lockOptions } from "../config/lock-options.ts";
import { refuseUnwritable } from "../config/outside.ts";
import { redactArgv, redactValues } from "../config/redact.ts";
import { isGiven, type Resolved } from "../config/resolve.ts";
import { topologyNamed } from "../config/topologies.ts";
import { formatDurationMs } from "../config/units.ts";
import type { JobTime, LockPlan } from "../contracts/lock-plan.ts";
import type { TopologyName } from "../contracts/topology.ts";
import { messageOf, UsageError } from "../errors.ts";
import { type FaultPlan, type PlanContext, understandEntries } from "../faults/plan-language/fault-plan.ts";
import { type FaultEntry, parseEntries } from "../faults/plan-language/parse.ts";
import { faultRegistry } from "../faults/registry.ts";
import type { LockChoice } from "../lock/plan/arms.ts";
import { makeLockPlan } from "../lock/plan/lock-plan.ts";
import { refuseEncrypted } from "./refuse-encrypted.ts";
import { refuseOnToxiproxy } from "./refuse-toxiproxy.ts";
import { replayCommand } from "./replay-command.ts";
import { loadReporters, type NamedReporter } from "./reporters.ts";
import {
  acknowledgements,
  controlModule,
  type FoundWorkload,
  findWorkload,
  loadJob,
  loadLock,
  loadQueue,
  queueOfLock,
} from "./workloads.ts";

export const lockTable = { ...lockOptions, ...commonOptions } as const;
export type LockOptions = Resolved<typeof lockTable>;

/** A lock run, resolved and validated: everything that the pipeline needs to carry it out. */
export interface LockRequest {
  plan: LockPlan;
  /** Every option as it was resolved, for the result; passwords are redacted. */
  config: Readonly<Record<string, string | readonly string[]>>;
  /** The command line as given, without node and script; passwords are redacted. */
  argv: readonly string[];
  /** The command that does the same again. */
  replay: string;
  /** Absolute path of the folder in which the run makes its own. */
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
  quiet: boolean;
  /** Servers that run already and are not owned. Empty: the run starts its own. */
  redisUrls: readonly string[];
  /** A Toxiproxy server to use in place of the harness's own proxy. */
  toxiproxyUrl?: string | undefined;
  redisBin?: string;
  runtime?: "process" | "docker";
  allowFaultsOnExternal: boolean;
  /** Where hosts may join that play the last workers. */
  remote?: { workers: number; host: string; port: number; token: string | undefined; cwd: string };
}

export interface RequestContext {
  cwd: string;
  argv: readonly string[];
  file: ConfigFile | undefined;
  drawSeed?: () => number;
}

/** From resolved options to a run that is ready to start. Starts nothing; throws `UsageError` or `UnavailableError`. */
export async function makeLockRequest(options: LockOptions, context: RequestContext): Promise<LockRequest> {
  const { values, origins } = options;
  refuseImpossible(values, origins);
  const folderOf = (key: keyof typeof lockTable) => baseFolder(origins[key], context.file, context.cwd);
  const outFolder = absolutePath(folderOf("out"), values.out);
  const seed = values.seed ?? (context.drawSeed ?? (() => randomInt(2 ** 32)))();
  const roundMs = Math.floor(values.duration / values.rounds);
  const shape = shapeOf(values);
  const planContext: PlanContext = {
    faults: faultRegistry,
    topology: shape.topology,
    counts: { nodes: shape.nodes, workers: values.workers, sentinels: shape.sentinels },
    roundMs,
    rounds: values.rounds,
    sparesServers: values.redis.length > 0 && !values.allowFaultsOnExternal,
  };
  const faults = await readFaults(faultTexts(values), folderOf("faults"), planContext, context.cwd);
  const time = readJobTime(values.jobTime, folderOf("jobTime"));
  const locks = values.lock.map((text) => findWorkload("lock", text, folderOf("lock")));
  const job = findWorkload("job", values.job, folderOf("job"));
  const queue = findWorkload("queue", queueText(options, locks), folderOf("queue"));
  const ack = acknowledgement(options, queue);
  const { idempotent = false } = await loadJob(job);
  await refuseUnfit(locks, job, shape);
  await loadQueue(queue);
  refuseUnwritable(outFolder);
  const plan = makeLockPlan({
    ...{ seed, roundMs, faults, faultContext: planContext },
    topology: shape.topology,
    workers: values.workers,
    concurrency: values.concurrency,
    ttlMs: values.ttl,
    ...(values.renewEvery === undefined ? {} : { renewEveryMs: values.renewEvery }),
    visibilityMs: values.visibility,
    claimIntervalMs: values.claimInterval ?? Math.max(10, Math.round(values.visibility / 10)),
    ack,
    onSkip: values.onSkip,
    fencing: values.fencing,
    trace: values.trace,
    queue: Object.keys(queue.options).length === 0 ? queue.ref : { ...queue.ref, options: queue.options },
    ...(values.queueOn === undefined ? {} : { queueOn: values.queueOn }),
    job: { ...job.ref, time, ...(idempotent ? { idempotent } : {}) },
    ...(values.commandTimeout === undefined ? {} : { commandTimeoutMs: values.commandTimeout }),
    rate: values.rate,
    arrivals: values.arrivals,
    keys: values.keys,
    rounds: values.rounds,
    locks: await Promise.all(locks.map(lockChoice)),
    withControl: values.control,
    control: controlModule(),
  });
  refuseEncrypted(plan, values.redis);
  if (values.toxiproxy !== undefined) refuseOnToxiproxy(plan, { nodes: shape.nodes, redisUrls: values.redis });
  return {
    plan,
    config: printableConfig(options, plan),
    argv: redactArgv(context.argv),
    replay: replayCommand("lock", lockTable, options, { seed }),
    outFolder,
    reporters: await loadReporters(values.reporter, folderOf("reporter")),
    json: values.json,
    quiet: values.quiet,
    redisUrls: values.redis,
    toxiproxyUrl: values.toxiproxy,
    ...(values.redisBin === undefined ? {} : { redisBin: absolutePath(folderOf("redisBin"), values.redisBin) }),
    runtime: values.runtime,
    allowFaultsOnExternal: values.allowFaultsOnExternal,
    ...(values.remoteWorkers === 0
      ? {}
      : {
          remote: {
            workers: values.remoteWorkers,
            ...{ host: values.joinHost, port: values.joinPort, token: values.joinToken, cwd: context.cwd },
          },
        }),
  };
}

async function lockChoice(found: FoundWorkload): Promise<LockChoice> {
  const { changedDefaults } = await loadLock(found);
  return { ...found.ref, options: found.options, ...(changedDefaults === undefined ? {} : { changedDefaults }) };
}

type LockValues = LockOptions["values"];

function shapeOf({ topology, redis }: LockValues): {
  topology: TopologyName;
  nodes: number;
  sentinels: number;
  clientNodes: number;
} {
  if (redis.length > 0) {
    return { topology: "external", nodes: redis.length, sentinels: 0, clientNodes: redis.length };
  }
  const { nodes, sentinels, clientNodes } = topologyNamed(topology) ?? { nodes: 1, sentinels: 0, clientNodes: 1 };
  return { topology, nodes, sentinels, clientNodes };
}

/** The queue as written, or the one that a lock goes with. */
function queueText({ values, origins }: LockOptions, locks: readonly FoundWorkload[]): string {
  for (const lock of locks) {
    const needed = queueOfLock(lock);
    if (needed === undefined) continue;
    if (!isGiven(origins.queue)) return needed;
    if (values.queue === needed || values.queue.startsWith(`${needed}(`)) continue;
    throw new UsageError(
      `--lock ${lock.ref.name} is the lock inside the queue ${needed}: use --queue ${needed}, or leave --queue out.`,
      { code: "IMPOSSIBLE" },
    );
  }
  return values.queue;
}

/** The order of acknowledgement: as given, or the one that the queue can have. */
function acknowledgement({ values, origins }: LockOptions, queue: FoundWorkload): LockPlan["ack"] {
  const possible = acknowledgements(queue);
  if (possible.includes(values.ack)) return values.ack;
  const [instead = values.ack] = possible;
  if (!isGiven(origins.ack)) return instead;
  throw new UsageError(
    `--ack ${values.ack} is not possible with --queue ${queue.ref.name}: BullMQ acknowledges after its processor returned. ` +
      `Use --ack ${instead}, or --queue bullmq-manual, which fetches and completes jobs by hand.`,
    { code: "IMPOSSIBLE" },
  );
}

/** What the faults are when nothing is said: those of the article, but for a run that can have none. */
function faultTexts({ faults, rate }: LockValues): readonly string[] {
  if (faults.length > 0) return faults;
  return rate === "max" ? ["none"] : ["article"];
}

/** Reads texts of the plan language, and files and structured plans, one after the other. */
async function readFaults(
  texts: readonly string[],
  folder: string,
  context: PlanContext,
  cwd: string,
): Promise<FaultPlan> {
  const entries: FaultEntry[] = [];
  for (const text of texts) {
    const isFile = /^[^(),\n]+\.(ya?ml|json)$/i.test(text.trim());
    if (!isFile && !/^\s*[[{]/.test(text)) {
      entries.push(...parseEntries({ name: "--faults", text }));
      continue;
    }
    // The YAML reader is loaded only for those who use it.
    const { parseStructured } = await import("../faults/plan-language/plan-file.ts");
    const path = absolutePath(folder, text.trim());
    const source = isFile
      ? { name: relative(cwd, path), text: readText(path, `--faults ${text}`) }
      : { name: "faults", text };
    entries.push(...parseStructured(source));
  }
  return understandEntries(entries, context);
}

function readJobTime(written: WrittenJobTime, folder: string): JobTime {
  if (written.kind !== "recorded") return written;
  const what = `--job-time recorded(${written.file})`;
  const contents = readText(absolutePath(folder, written.file), what);
  try {
    return { kind: "recorded", valuesMs: parseRecordedMs(contents) };
  } catch (error) {
    throw new UsageError(`${what}: ${messageOf(error)}`, { code: "BAD_VALUE", cause: error });
  }
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${messageOf(error)}`, { code: "NO_FILE", cause: error });
  }
}

/** Loads what will run and refuses what does not fit together: missing fencing, too few nodes. */
async function refuseUnfit(
  locks: readonly FoundWorkload[],
  job: FoundWorkload,
  { topology, clientNodes: nodes }: { topology: TopologyName; clientNodes: number },
): Promise<void> {
  const { needsFencing } = await loadJob(job);
  for (const lock of locks) {
    const { capabilities } = await loadLock(lock);
    if (capabilities === undefined) continue;
    if (needsFencing && capabilities.fencing === "none") {
      throw new UsageError(
        `--job ${job.ref.name} needs a fencing token, and the lock ${lock.ref.name} mints none. Use a lock that does, or another job.`,
        { code: "IMPOSSIBLE" },
      );
    }
    if (topology === "sentinel" && capabilities.sentinel === false) {
      throw new UsageError(
        `The lock ${lock.ref.name} does not follow a primary that sentinels name (its client: ${capabilities.client}). ` +
          "Use another lock, or --topology single or replicated.",
        { code: "IMPOSSIBLE" },
      );
    }
    if (capabilities.nodes > nodes) {
      throw new UsageError(
        `The lock ${lock.ref.name} needs ${capabilities.nodes} independent Redis nodes, and this run gives it ${nodes}. ` +
          `Add --topology redlock, or ${capabilities.nodes} times --redis URL.`,
        { code: "IMPOSSIBLE" },
      );
    }
  }
}

/** Options as text, with what was drawn or derived in its place. */
function printableConfig({ texts, values }: LockOptions, plan: LockPlan): LockRequest["config"] {
  const config: Record<string, string | readonly string[]> = {};
  for (const [key, option] of Object.entries(lockTable)) {
    const given = texts[key];
    if (given === undefined || key === "printConfig" || key === "dryRun") continue;
    const shown = redactValues(key, given);
    config[key] = option.repeatable ? shown : (shown[0] ?? "");
  }
  const { seed, claimIntervalMs, ack, queueOn, topology } = plan;
  return {
    ...config,
    faults: faultTexts(values),
    ...{ seed: String(seed), claimInterval: formatDurationMs(claimIntervalMs), ack, queueOn, topology },
  };
}
