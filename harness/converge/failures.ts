import type { ConvergeFailure } from "../results/converge-schema.ts";
import type { CrdtRef } from "./adapter/crdt-ref.ts";
import type { ToldFailure } from "./campaign/tell-failures.ts";
import type { ResolvedConverge } from "./converge-options.ts";
import { crdtOf, formatReplayFile } from "./replay/replay-file.ts";
import { DEFAULTS } from "./resolve-options.ts";

/** Failures as they stand in a result, and the text of their replay files. */
export function describeFailures(
  ref: CrdtRef,
  options: ResolvedConverge,
  told: readonly ToldFailure[],
): { failures: ConvergeFailure[]; files: Record<string, string> } {
  const files: Record<string, string> = {};
  const failures = told.map(({ index, counterexample }) => {
    const { schedule, deep, ...rest } = counterexample;
    const { seed, regions, all, mode } = options;
    const ran = { ...rest, seed, index };
    const file = `counterexamples/${fileName(ref.name)}-${fileName(rest.oracle)}-${index}.json`;
    const replay = replayCommand(ref, options, index, file);
    // Of one that could not be run again its number is all that is known.
    if (schedule.length === 0) return { ...ran, replay } satisfies ConvergeFailure;
    files[file] = formatReplayFile({
      crdt: crdtOf(ref),
      regions,
      arguments: mode === "exhaustive" ? "unit" : "any",
      deep,
      all,
      seed,
      index,
      oracle: rest.oracle,
      expected: rest.expected,
      actual: rest.actual,
      schedule,
    });
    return { ...ran, replay, file } satisfies ConvergeFailure;
  });
  return { failures, files };
}

/** What the reader of failures must know: some are larger than they need be. */
export function cutShortWarnings({ name }: CrdtRef, failures: readonly ConvergeFailure[]): string[] {
  const count = failures.filter(({ shrinkingCutShort }) => shrinkingCutShort).length;
  if (count === 0) return [];
  const what = count === 1 ? "one counterexample" : `${count} counterexamples`;
  return [
    `${name}: ${what} could be smaller: shrinking was cut short, and each says so. The command of a failure runs its schedule again without a limit of time.`,
  ];
}

/** A command that finds the same failure again, as it can be pasted anywhere. */
function replayCommand(ref: CrdtRef, options: ResolvedConverge, index: number, file: string): string {
  const { seed, regions, ops, all, mode } = options;
  if (mode === "exhaustive") return `npx harness replay ${file}`;
  const words = ["npx harness converge", `--crdt ${quote(ref.argument ?? ref.name)}`];
  if (ref.options !== undefined && Object.keys(ref.options).length > 0) {
    words.push(`--crdt-args ${quote(JSON.stringify(ref.options))}`);
  }
  words.push(`--regions ${regions}`, `--seed ${seed}`, `--index ${index}`);
  if (ops !== DEFAULTS.ops) words.push(`--ops ${ops}`);
  if (all) words.push("--oracles all");
  return words.join(" ");
}

const quote = (text: string): string => (/^[\w./@:=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const fileName = (text: string): string => text.replaceAll(/[^\w.-]+/g, "-");
