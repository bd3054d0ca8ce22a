import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { crdtRegistry } from "../../workloads/crdts/registry.ts";
import { commonOptions } from "../config/common-options.ts";
import { absolutePath, baseFolder, type ConfigFile } from "../config/config-file.ts";
import { convergeOptions } from "../config/converge-options.ts";
import { flagName } from "../config/option.ts";
import { refuseUnwritable } from "../config/outside.ts";
import { type Overrides, withoutOverridden } from "../config/overridden.ts";
import { redactArgv, redactValues } from "../config/redact.ts";
import type { Origin, Resolved } from "../config/resolve.ts";
import type { CrdtRef } from "../converge/adapter/crdt-ref.ts";
import type { ConvergeOptions } from "../converge/converge-options.ts";
import { UsageError } from "../errors.ts";
import { replayCommand } from "./replay-command.ts";
import { loadReporters, type NamedReporter } from "./reporters.ts";
import { findWorkload, refusePerilous } from "./workloads.ts";

export const convergeTable = { ...convergeOptions, ...commonOptions } as const;
export type ConvergeFlags = Resolved<typeof convergeTable>;

/** What a convergence run is told; stored as its plan.json. Without what is no data, or is of the caller. */
export type ConvergePlan = Omit<ConvergeOptions, "signal" | "onProgress" | "unguarded"> & {
  schema: "harness.plan/1";
  kind: "converge";
  seed: number;
};

/** A convergence run, resolved and validated. */
export interface ConvergeRequest {
  plan: ConvergePlan;
  config: Readonly<Record<string, string | readonly string[]>>;
  argv: readonly string[];
  replay: string;
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
  /** Whom to ask, where agents are to run it. */
  agents?: { url: string; shards: number; queue: string };
  /** Where to write a test file of the counterexamples, if anywhere. */
  emitTest?: string;
}

/** From resolved options to a run that is ready to start. Starts nothing; throws `UsageError`. */
export async function makeConvergeRequest(
  asked: ConvergeFlags,
  { cwd, argv, file }: { cwd: string; argv: readonly string[]; file: ConfigFile | undefined },
): Promise<ConvergeRequest> {
  const options = withoutOverridden(convergeTable, asked, OVERRIDES);
  const { values, origins, texts } = options;
  refuseImpossible(values, origins);
  const folderOf = (key: keyof typeof convergeTable) => baseFolder(origins[key], file, cwd);
  const seed = values.seed ?? randomInt(2 ** 32);
  const outFolder = absolutePath(folderOf("out"), values.out);
  refuseUnwritable(outFolder);
  for (const text of values.crdt) await refusePerilous("crdt", findWorkload("crdt", text, folderOf("crdt")));
  const { depth, alphabet, symmetry } = values;
  const plan: ConvergePlan = {
    schema: "harness.plan/1",
    kind: "converge",
    crdts: crdtsOf(values, origins, folderOf("crdt")),
    ...given({ ...picked(values), seed }),
    seed,
    threads: values.threads ?? availableParallelism(),
    ...(values.exhaustive ? { exhaustive: { depth: depth ?? 4, symmetry, ...given({ alphabet }) } } : {}),
    ...(values.zoo ? { zoo: true } : {}),
    ...(values.journal === undefined ? {} : { journal: absolutePath(folderOf("journal"), values.journal) }),
  };
  const config = Object.fromEntries(
    Object.entries(convergeTable).flatMap(([key, { repeatable }]) => {
      const text = texts[key];
      if (text === undefined) return [];
      const shown = redactValues(key, text);
      return [[key, repeatable ? shown : (shown[0] ?? "")]];
    }),
  );
  return {
    plan,
    config: { ...config, seed: String(seed), threads: String(plan.threads) },
    argv: redactArgv(argv),
    replay: replayCommand("converge", convergeTable, options, { seed }),
    outFolder,
    reporters: await loadReporters(values.reporter, folderOf("reporter")),
    json: values.json,
    ...(values.agents === undefined
      ? {}
      : { agents: { url: values.agents, shards: values.shards ?? DEFAULT_SHARDS, queue: values.agentQueue } }),
    ...(values.emitTest === undefined ? {} : { emitTest: absolutePath(folderOf("emitTest"), values.emitTest) }),
  };
}

const DEFAULT_SHARDS = 16;

/** Of the limits, the one from the stronger source counts alone; a way to search has no use for the details of another. */
const OVERRIDES: Overrides<typeof convergeTable> = {
  index: ["schedules", "time", "shard"],
  schedules: ["time"],
  time: ["schedules"],
  exhaustive: ["zoo", "ops", "schedules", "index", "shard"],
  zoo: ["exhaustive", "crdt", "shard"],
  agents: ["time", "threads", "journal", "shard", "index"],
};

type ConvergeValues = ConvergeFlags["values"];

function picked({ regions, ops, schedules, time, shard, oracles, index, stepDeadline }: ConvergeValues) {
  return { regions, ops, schedules, timeMs: time, shard, oracles, index, stepDeadlineMs: stepDeadline };
}

/** Options that were given; absent ones stay absent. */
function given<Values extends object>(values: Values): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<Values>
  >;
}

/** The named CRDTs, or for the zoo, where none is named, all that are broken on purpose. */
function crdtsOf(
  { crdt, crdtArgs, zoo }: ConvergeValues,
  origins: Readonly<Record<string, Origin>>,
  folder: string,
): CrdtRef[] {
  const broken = crdtRegistry.filter(({ family }) => family === "broken").map(({ name }) => name);
  const names = zoo && origins.crdt?.kind === "default" ? broken : crdt;
  return names.map((text) => {
    const { ref, options: own } = findWorkload("crdt", text, folder);
    const isSound = crdtRegistry.some(({ name, expected }) => name === text && expected === "correct");
    if (zoo && isSound) {
      throw new UsageError(
        `--zoo looks for mistakes that were made on purpose, and ${text} has none: name one of \`harness list crdts\` that begins with broken/, or leave out --zoo.`,
        { code: "IMPOSSIBLE" },
      );
    }
    const options = { ...crdtArgs, ...own };
    return { ...ref, argument: text, ...(Object.keys(options).length > 0 ? { options } : {}) };
  });
}

const AGENTS_REFUSE = {
  exhaustive: "agents run parts of random campaigns",
  zoo: "agents run parts of random campaigns",
  index: "one schedule alone has no parts",
  shard: "it makes the parts itself",
  journal: "agents write no journal",
  time: "parts that end by time are not the same wherever they run",
  threads: "each agent has its own --threads",
} as const;

function refuseImpossible(values: ConvergeValues, origins: Readonly<Record<string, Origin>>): void {
  const isGiven = (key: keyof ConvergeValues) => origins[key]?.kind !== "default";
  /** A configuration file may hold the details of a way to search that this run does not take. */
  const isAskedFor = (key: keyof ConvergeValues) => isGiven(key) && origins[key]?.kind !== "file";
  const { exhaustive, zoo, index, crdt, agents } = values;
  const problem = [
    exhaustive && zoo ? "--exhaustive and --zoo are two ways to search: give one of the two." : undefined,
    ...(["depth", "alphabet", "symmetry"] as const).map((key) =>
      !exhaustive && isAskedFor(key)
        ? `--${key === "symmetry" ? "no-symmetry" : key} is about --exhaustive: add it.`
        : undefined,
    ),
    ...(["ops", "schedules", "index", "shard"] as const).map((key) =>
      exhaustive && isGiven(key)
        ? `--${key} is about random schedules, and --exhaustive has none: leave it out.`
        : undefined,
    ),
    ...(["shards", "agentQueue"] as const).map((key) =>
      agents === undefined && isAskedFor(key) ? `--${flagName(key)} is about --agents: add it.` : undefined,
    ),
    ...(["exhaustive", "zoo", "index", "shard", "journal", "time", "threads"] as const).map((key) =>
      agents !== undefined && isGiven(key) ? `--agents: ${AGENTS_REFUSE[key]}: leave out --${key}.` : undefined,
    ),
    agents !== undefined && !isGiven("schedules")
      ? "--agents share out a number of schedules: say how many with --schedules."
      : undefined,
    index !== undefined && (isGiven("schedules") || isGiven("time"))
      ? "--index runs one schedule alone: leave out --schedules and --time."
      : undefined,
    isGiven("shard") && zoo
      ? "--shard splits random schedules; the zoo stops at the first that finds a mutant: leave it out."
      : undefined,
    isGiven("shard") && index !== undefined ? "--index runs one schedule alone: leave out --shard." : undefined,
    isGiven("shard") && !isGiven("seed")
      ? "--shard runs a part of one campaign, and a part without --seed would be of a campaign of its own: give every part the same --seed."
      : undefined,
    index !== undefined && crdt.length > 1 ? "--index is a schedule of one CRDT: name one with --crdt." : undefined,
    crdt.length === 0 ? "There is no CRDT to test: give --crdt NAME or a file." : undefined,
  ].find((text) => text !== undefined);
  if (problem !== undefined) throw new UsageError(problem, { code: "IMPOSSIBLE" });
}
