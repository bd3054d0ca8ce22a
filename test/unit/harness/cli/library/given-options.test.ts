import { expect, test } from "vitest";
import { compare } from "../../../../../harness/cli/library/compare-results.ts";
import { replay } from "../../../../../harness/cli/library/replay.ts";
import { converge } from "../../../../../harness/cli/library/run-converge.ts";
import { runLock } from "../../../../../harness/cli/library/run-lock.ts";
import { runMatrix } from "../../../../../harness/cli/library/run-matrix.ts";
import { UsageError } from "../../../../../harness/errors.ts";

const functions = {
  runLock,
  runMatrix,
  converge,
  compare: (given: object) => compare("base", "head", given),
  replay: (given: object) => replay("counterexample.json", given),
};

test.each(Object.entries(functions))(
  "%s refuses options that are no object, and says what they are",
  async (name, run) => {
    for (const [given, what] of [
      [null, "null"],
      ["set-nx", "a string"],
      [["set-nx"], "an array"],
      [Promise.resolve({}), "a promise: await it"],
    ] as const) {
      const refused = await (run(given as never) as Promise<unknown>).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).toContain(
        `${name} takes its options as an object, such as { seed: 7 }; this is ${what}.`,
      );
    }
  },
);

test("compare and replay say what they were given instead of a result or a counterexample", async () => {
  const pending = Promise.resolve({ kind: "lock" });
  await expect(compare(pending as never, "head")).rejects.toThrow("this is a promise: await it.");
  await expect(compare(null as never, "head")).rejects.toThrow(/^compare takes two results, .*; this is null\.$/);
  await expect(replay(pending as never)).rejects.toThrow(/^replay takes a counterexample, .*; this is a promise/);
  await expect(replay(null as never)).rejects.toThrow(UsageError);
});
