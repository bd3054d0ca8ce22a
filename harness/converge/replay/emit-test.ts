import type { ReplayFile } from "./replay-file.ts";

export interface EmittedTest {
  /** What was found, shrunk. */
  counterexample: Omit<ReplayFile, "schema">;
  /** The steps, in words. */
  steps: readonly string[];
  /** How the test names a user's own module, from where the test lies: `../my-crdt.ts`. Absent for what is built in. */
  module?: string;
}

/**
 * A test file for vitest that runs a counterexample again and fails as long as the fault is there. The same counterexample
 * gives the same bytes.
 */
export function emitTest({ counterexample, steps, module }: EmittedTest): string {
  const { crdt, oracle, seed, index, expected, actual, schedule, ...rest } = counterexample;
  const named = module === undefined ? {} : { argument: MODULE_PLACE };
  const json = JSON.stringify(
    {
      schema: "harness.counterexample/1",
      crdt: { ...crdt, ...named },
      ...rest,
      seed,
      index,
      oracle,
      expected,
      actual,
      schedule,
    },
    undefined,
    2,
  );
  const literal =
    module === undefined
      ? json
      : json.replace(`"${MODULE_PLACE}"`, `fileURLToPath(new URL(${JSON.stringify(module)}, import.meta.url))`);
  const told = [
    `${oracle} in ${crdt.name}, found by seed ${seed} in schedule ${index}:`,
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    `expected: ${expected}`,
    `actual:   ${actual}`,
  ];
  return [
    ...(module === undefined ? [] : ['import { fileURLToPath } from "node:url";']),
    'import { replay } from "holdfast";',
    'import { expect, test } from "vitest";',
    "",
    ...told.map((line) => `// ${oneLine(line)}`),
    `test(${JSON.stringify(`${crdt.name}: no ${oracle} in ${steps.length} steps`)}, async () => {`,
    `  const { failure } = await replay(${indent(literal)});`,
    "  expect(failure).toBeUndefined();",
    "});",
    "",
  ].join("\n");
}

const MODULE_PLACE = "the module under test";

/** Values may hold any character, and a comment ends with its line. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]/g, " ");

const indent = (text: string): string => text.replaceAll("\n", "\n  ");
