import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { lockRegistry } from "../../workloads/locks/registry.ts";
import { scenarioRegistry } from "../../workloads/scenarios/registry.ts";
import { commonOptions } from "../config/common-options.ts";
import { absolutePath, baseFolder, type ConfigFile } from "../config/config-file.ts";
import { lockOptions } from "../config/lock-options.ts";
import { matrixOptions } from "../config/matrix-options.ts";
import { didYouMean } from "../config/nearest.ts";
import { refuseUnwritable } from "../config/outside.ts";
import { redactArgv } from "../config/redact.ts";
import { isGiven, type Resolved } from "../config/resolve.ts";
import type { Scenario } from "../contracts/scenario.ts";
import { UsageError } from "../errors.ts";
import type { Cell, MatrixLock, MatrixWorkloads } from "../matrix/cell.ts";
import { cellsOf } from "../matrix/cells.ts";
import { type Expectation, expectationsOf } from "../matrix/self-test/expectations.ts";
import { builtFile } from "../package-root.ts";
import type { MatrixCell } from "../results/matrix-schema.ts";
import { PLAN_FILE } from "../results/store.ts";
import { readStoredPlan } from "../results/stored-document.ts";
import { findMatrixLocks } from "./matrix-locks.ts";
import { replayCommand, shellQuote } from "./replay-command.ts";
import { loadReporters, type NamedReporter } from "./reporters.ts";
import { findRunFolder } from "./stored-run.ts";
import { acknowledgements, findWorkload, loadJob } from "./workloads.ts";

export const matrixTable = { ...matrixOptions, redisBin: lockOptions.redisBin, ...commonOptions } as const;
export type MatrixFlags = Resolved<typeof matrixTable>;

const planSchema = z.object({
  schema: z.literal("harness.plan/1"),
  kind: z.literal("matrix"),
  seed: z.int(),
  repeat: z.int().positive(),
  shard: z.object({ index: z.int().nonnegative(), count: z.int().positive() }).exactOptional(),
  /** As on the command line; files by their absolute path. */
  locks: z.array(z.string()),
  scenarios: z.array(z.string()),
  /** The checks are under test: only the cells that say something of them run. */
  selfTest: z.boolean().exactOptional(),
});

/** What a matrix is made from; stored as its plan.json. */
export type MatrixPlan = z.infer<typeof planSchema>;

/** A matrix, resolved and validated. */
export interface MatrixRequest {
  plan: MatrixPlan;
  locks: readonly MatrixLock[];
  scenarios: readonly Scenario[];
  cells: readonly Cell[];
  workloads: MatrixWorkloads;
  /** For a self-test: what the cells are to come to. */
  expectations?: readonly Expectation[];
  sideBySide: number;
  failOn: readonly MatrixCell["verdict"][];
  /** The folder of the run that it goes on with. */
  resumed?: string;
  config: Readonly<Record<string, string | readonly string[]>>;
  argv: readonly string[];
  replay: string;
  replayOf(lock: MatrixLock, scenario: Scenario): string;
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
  redisBin?: string;
}

/** From resolved options to a matrix that is ready to start. Starts nothing; throws `UsageError` or `UnavailableError`. */
export async function makeMatrixRequest(
  options: MatrixFlags,
  { cwd, argv, file }: { cwd: string; argv: readonly string[]; file: ConfigFile | undefined },
): Promise<MatrixRequest> {
  const { values, origins, texts } = options;
  const folderOf = (key: keyof typeof matrixTable) => baseFolder(origins[key], file, cwd);
  const outFolder = absolutePath(folderOf("out"), values.out);
  const resumed = values.resume === undefined ? undefined : findRunFolder(values.resume, { cwd: folderOf("resume") });
  if (resumed !== undefined) refuseBesideResume(options);
  if (values.shard !== undefined && !isGiven(origins.seed)) {
    throw new UsageError(
      "--shard runs a part of one matrix, and a part without --seed would be of a matrix of its own: give every part the same --seed.",
      { code: "IMPOSSIBLE" },
    );
  }
  const stored = resumed === undefined ? undefined : readMatrixPlan(resumed);
  if (values.selfTest) refuseBesideSelfTest(options);
  const expectations = expectationsOfPlan(stored?.selfTest === undefined ? { selfTest: values.selfTest } : stored);
  const tested = expectations && [...new Set(expectations.map(({ lock }) => lock))];
  const scenarios = findScenarios(stored?.scenarios ?? values.scenario);
  const locks = await findMatrixLocks(stored?.locks ?? tested ?? values.lock, folderOf("lock"));
  refuseTwice(
    "lock",
    locks.map(({ name }) => name),
  );
  refuseTwice(
    "scenario",
    scenarios.map(({ name }) => name),
  );
  refuseUnwritable(outFolder);
  const plan: MatrixPlan = stored ?? {
    schema: "harness.plan/1",
    kind: "matrix",
    seed: values.seed ?? randomInt(2 ** 32),
    repeat: values.repeat,
    ...(values.shard === undefined ? {} : { shard: values.shard }),
    locks: locks.map(({ text }) => text),
    scenarios: scenarios.map(({ name }) => name),
    ...(expectations ? { selfTest: true } : {}),
  };
  const config = Object.fromEntries(
    Object.entries(matrixTable).flatMap(([key, { repeatable }]) => {
      const text = texts[key];
      return text === undefined ? [] : [[key, repeatable ? text : (text[0] ?? "")]];
    }),
  );
  return {
    ...{ plan, locks, scenarios, outFolder },
    cells: cellsOfPlan(plan, { locks, scenarios }),
    ...(expectations ? { expectations } : {}),
    workloads: await matrixWorkloads(),
    sideBySide: values.sideBySide ?? 4 * availableParallelism(),
    failOn: values.failOn,
    ...(resumed === undefined ? {} : { resumed }),
    config: { ...config, seed: String(plan.seed) },
    argv: redactArgv(argv),
    replay:
      resumed === undefined
        ? replayCommand("matrix", matrixTable, options, { seed: plan.seed })
        : `npx harness matrix ${[
            ...(plan.selfTest
              ? ["--self-test"]
              : [
                  ...plan.locks.map((text) => `--lock ${shellQuote(text)}`),
                  ...plan.scenarios.map((name) => `--scenario ${name}`),
                ]),
            `--repeat ${plan.repeat}`,
            `--seed ${plan.seed}`,
          ].join(" ")}`,
    replayOf: replayOfCell(plan),
    reporters: await loadReporters(values.reporter, folderOf("reporter")),
    json: values.json,
    ...(values.redisBin === undefined ? {} : { redisBin: absolutePath(folderOf("redisBin"), values.redisBin) }),
  };
}

function refuseBesideResume({ origins }: MatrixFlags): void {
  const beside = (["lock", "scenario", "repeat", "seed", "shard", "selfTest"] as const).find((key) =>
    isGiven(origins[key]),
  );
  if (beside === undefined) return;
  throw new UsageError(`--resume goes on with what the run had: leave out --${beside}.`, { code: "IMPOSSIBLE" });
}

function refuseBesideSelfTest({ origins }: MatrixFlags): void {
  const beside = (["lock", "scenario"] as const).find((key) => isGiven(origins[key]));
  if (beside === undefined) return;
  throw new UsageError(`--self-test has its own locks and scenarios: leave out --${beside}.`, { code: "IMPOSSIBLE" });
}

/** What the cells of a self-test are to come to; undefined for a matrix of locks. */
export function expectationsOfPlan({ selfTest = false }: Pick<MatrixPlan, "selfTest">): Expectation[] | undefined {
  return selfTest ? expectationsOf(lockRegistry, scenarioRegistry) : undefined;
}

/** The cells of a plan: all that apply, or those that a self-test is about. */
export function cellsOfPlan(
  plan: MatrixPlan,
  { locks, scenarios }: { locks: readonly MatrixLock[]; scenarios: readonly Scenario[] },
): Cell[] {
  const expectations = expectationsOfPlan(plan);
  if (!expectations) return cellsOf({ ...plan, locks, scenarios });
  const { repeat } = plan;
  return cellsOf({ ...plan, repeat: Math.max(repeat, BROKEN_REPEATS), locks, scenarios }).filter(
    (cell) => isExpected(expectations, cell) && (cell.repeat <= repeat || cell.lock.family === "broken"),
  );
}

/** A broken lock breaks when it comes to that; in one of so many runs it must. */
const BROKEN_REPEATS = 2;

function isExpected(expectations: readonly Expectation[], { lock, scenario }: Cell): boolean {
  return expectations.some((expected) => expected.lock === lock.name && expected.scenario === scenario.name);
}

export function readMatrixPlan(folder: string): MatrixPlan {
  return readStoredPlan(join(folder, PLAN_FILE), "matrix", (value) => planSchema.parse(value));
}

/** The command that runs one cell of a matrix again. */
export function replayOfCell({ repeat, seed }: MatrixPlan): MatrixRequest["replayOf"] {
  const again = repeat > 1 ? ` --repeat ${repeat}` : "";
  return (lock, { name }) =>
    `npx harness matrix --lock ${shellQuote(lock.text)} --scenario ${name}${again} --seed ${seed}`;
}

export function findScenarios(names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return scenarioRegistry;
  return names.map((name) => {
    const found = scenarioRegistry.find((scenario) => scenario.name === name);
    if (found) return found;
    const hint = didYouMean(
      name,
      scenarioRegistry.map((scenario) => scenario.name),
    );
    throw new UsageError(`--scenario ${name}: there is no such scenario.${hint}`, { code: "UNKNOWN_NAME" });
  });
}

function refuseTwice(kind: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new UsageError(`--${kind} ${twice} is given twice: a table has one place for it.`, { code: "IMPOSSIBLE" });
  }
}

/** Queues and jobs by name; that a job needs a fencing token is known from its module. */
export async function matrixWorkloads(): Promise<MatrixWorkloads> {
  const { jobRegistry } = await import("../../workloads/jobs/registry.ts");
  const jobs = new Map(
    await Promise.all(
      jobRegistry.map(async ({ name }) => {
        const found = findWorkload("job", name, ".");
        const { needsFencing = false } = await loadJob(found);
        return [name, { ...found.ref, needsFencing }] as const;
      }),
    ),
  );
  return {
    queue(name) {
      const found = findWorkload("queue", name, ".");
      return { module: found.ref, ack: acknowledgements(found) };
    },
    job(name) {
      const job = jobs.get(name);
      if (!job) throw new Error(`there is no job named ${name}`);
      return job;
    },
    scenarios: builtFile("workloads/scenarios/registry.js"),
  };
}
