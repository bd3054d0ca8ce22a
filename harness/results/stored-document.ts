import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, UsageError } from "../errors.ts";

/** Kinds of plans, and the runs that they are of. */
const plans = {
  lock: "a lock run",
  converge: "a convergence run",
  matrix: "a whole matrix",
  compare: "a comparison",
} as const;
export type PlanKind = keyof typeof plans;

const PLAN_SCHEMA = "harness.plan/1";

/**
 * Reads a stored plan of one kind. What is anything else is called what it is, with what to do with it.
 * @throws UsageError in one sentence
 */
export function readStoredPlan<Plan>(file: string, kind: PlanKind, parse: (value: unknown) => Plan): Plan {
  return parsePlan(readText(file), { file, kind, parse });
}

/** The same of a text that was read already. */
export function parsePlan<Plan>(
  text: string,
  { file, kind, parse }: { file: string; kind: PlanKind; parse: (value: unknown) => Plan },
): Plan {
  const refused = (problem: string) =>
    new UsageError(`${file} is no plan of ${plans[kind]}: ${problem}.`, { code: "BAD_PLAN" });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(`${unreadable(text, error)}. Take the plan.json of another run`);
  }
  if (schemaOf(value) !== PLAN_SCHEMA || kindOf(value) !== kind)
    throw refused(`it is ${whatIs(value)}. ${whatToDoWith(value, file)}`);
  try {
    return parse(value);
  } catch (error) {
    throw refused(`it is damaged, ${messageOf(error)}. Take the plan.json of another run`);
  }
}

/** Of which kind of run a text is the plan; undefined for everything else. */
export function kindOfPlan(text: string): PlanKind | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const kind = kindOf(value);
  return schemaOf(value) === PLAN_SCHEMA && isPlanKind(kind) ? kind : undefined;
}

/** What a document is that was read from JSON: `a result`, `the plan of a matrix`, `a list`. */
export function whatIs(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object" || value === null) return `the value ${JSON.stringify(value)}`;
  const schema = schemaOf(value);
  if (schema === undefined) return 'without the "schema" that every file of this product has';
  const [, name = "", version = ""] = /^harness\.([a-z-]+)\/(\d+)$/.exec(schema) ?? [];
  const known = { result: "a result", counterexample: "a counterexample", cell: "the result of one cell of a matrix" };
  if (name === "history") return "a history";
  if (name === "plan" && schema === PLAN_SCHEMA) {
    const kind = kindOf(value);
    return isPlanKind(kind) ? `the plan of ${plans[kind]}` : `a plan of the unknown kind ${JSON.stringify(kind)}`;
  }
  if (name === "plan") return `a plan of version ${version}, and this build reads version 1`;
  return known[name as keyof typeof known] ?? `a document of schema "${schema}"`;
}

/** The next step with a document that is not the plan that was asked for. */
function whatToDoWith(value: unknown, file: string): string {
  const folder = dirname(file);
  const schema = schemaOf(value) ?? "";
  if (schema.startsWith("harness.counterexample/")) return "Run it again with harness replay";
  if (schema.startsWith("harness.result/")) {
    const ofLock = kindOf(value) === "lock" && existsSync(join(folder, "plan.json"));
    return ofLock ? `Give its folder, ${folder}` : again(value, folder);
  }
  if (/^harness\.plan\/\d+$/.test(schema) && schema !== PLAN_SCHEMA)
    return "Read it with the holdfast that wrote it, or a newer one";
  if (schema === PLAN_SCHEMA && kindOf(value) === "matrix")
    return `Name the plan of one of its cells (${join(folder, "cells", "*", "plan.json")}), or run it all again${commandIn(folder)}`;
  if (schema === PLAN_SCHEMA) return again(undefined, folder);
  return "Give the folder of a run, or its plan.json";
}

/** Runs that have no plan of a lock are repeated by their command, and by the counterexamples that they left. */
function again(result: unknown, folder: string): string {
  const counterexample = counterexamplesIn(folder)[0];
  const command = commandOf(result) ?? storedCommand(folder);
  const whole = command === undefined ? "Run it again with the command that made it" : `Run it again with: ${command}`;
  if (counterexample === undefined) return whole;
  return `Give one of its counterexamples, such as ${counterexample}, or run all of it again${command === undefined ? "" : ` with: ${command}`}`;
}

const commandIn = (folder: string): string => {
  const command = storedCommand(folder);
  return command === undefined ? "" : ` with: ${command}`;
};

function counterexamplesIn(folder: string): string[] {
  const place = join(folder, "counterexamples");
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(place, name));
}

function storedCommand(folder: string): string | undefined {
  try {
    return commandOf(JSON.parse(readFileSync(join(folder, "result.json"), "utf8")));
  } catch {
    return undefined;
  }
}

function commandOf(result: unknown): string | undefined {
  const replay = fieldOf(result, "replay");
  return typeof replay === "string" && replay !== "" ? `npx ${replay.replace(/^npx /, "")}` : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const folder = dirname(file);
    const command = storedCommand(folder);
    const next =
      command === undefined
        ? (hintOfRuns(folder) ?? "Give the folder of a run, or a plan.json")
        : `This run left none; run it again with: ${command}`;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new UsageError(
      missing ? `There is no plan at ${file}. ${next}.` : `The plan ${file} cannot be read: ${messageOf(error)}.`,
      { code: "NO_PLAN" },
    );
  }
}

/** For a folder that holds runs and is none: what to name instead. */
export function hintOfRuns(folder: string): string | undefined {
  const latest = join(folder, "latest");
  if (!existsSync(latest)) return undefined;
  return `${resolve(folder)} holds runs; name one of them, such as ${latest}`;
}

/** Why a text is no JSON: it was cut short, or never was any. */
export function unreadable(text: string, error: unknown): string {
  if (text.trim() === "") return "the file is empty";
  const problem = messageOf(error);
  const position = /position (\d+)/.exec(problem)?.[1];
  const atItsEnd = position === undefined ? problem.includes("end of JSON input") : Number(position) >= text.length;
  return atItsEnd ? "it was cut short" : `it is no JSON (${problem})`;
}

const schemaOf = (value: unknown): string | undefined => {
  const schema = fieldOf(value, "schema");
  return typeof schema === "string" ? schema : undefined;
};
const kindOf = (value: unknown): unknown => fieldOf(value, "kind");

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const isPlanKind = (kind: unknown): kind is PlanKind => typeof kind === "string" && Object.hasOwn(plans, kind);
