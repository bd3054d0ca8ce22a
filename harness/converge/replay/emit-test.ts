import { formatReplayFile, type ReplayFile } from "./replay-file.ts";

export interface EmittedTest {
  /** What was found, shrunk. */
  counterexample: Omit<ReplayFile, "schema">;
  /** The steps, in words. */
  steps: readonly string[];
  /** How the test names a user's own module, from where the test lies: `../my-crdt.ts`. Absent for what is built in. */
  module?: string;
}

/**
 * A test file for vitest that runs counterexamples again and fails as long as the fault is there. The same
 * counterexamples give the same bytes.
 */
export function emitTests(tests: readonly EmittedTest[]): string {
  const namesModule = tests.some(({ module }) => module !== undefined);
  return [
    ...(namesModule ? ['import { fileURLToPath } from "node:url";'] : []),
    'import { replay } from "holdfast";',
    'import { expect, test } from "vitest";',
    ...tests.flatMap((each) => ["", ...testOf(each)]),
    "",
  ].join("\n");
}

function testOf({ counterexample, steps, module }: EmittedTest): string[] {
  const { crdt, oracle, seed, index, expected, actual } = counterexample;
  const told = [
    `${oracle} in ${crdt.name}, found by seed ${seed} in schedule ${index}:`,
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    `expected: ${expected}`,
    `actual:   ${actual}`,
  ];
  return [
    ...told.map((line) => `// ${oneLine(line)}`),
    `test(${JSON.stringify(`${crdt.name}: no ${oracle} in ${steps.length} steps`)}, { timeout: 60_000 }, async () => {`,
    `  const { failure } = await replay(${indent(literalOf(counterexample, module))});`,
    "  expect(failure).toBeUndefined();",
    "});",
  ];
}

const MODULE_PLACE = "the module under test";

function literalOf(counterexample: EmittedTest["counterexample"], module: string | undefined): string {
  if (module === undefined) return formatReplayFile(counterexample).trimEnd();
  const crdt = { ...counterexample.crdt, argument: MODULE_PLACE };
  const place = `fileURLToPath(new URL(${JSON.stringify(module)}, import.meta.url))`;
  return formatReplayFile({ ...counterexample, crdt })
    .trimEnd()
    .replace(`"${MODULE_PLACE}"`, () => place);
}

/** Values may hold any character, and a comment ends with its line. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]/g, " ");

const indent = (text: string): string => text.replaceAll("\n", "\n  ");
