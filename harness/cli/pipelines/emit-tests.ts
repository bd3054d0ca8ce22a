import { writeFileSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { CrdtRef } from "../../converge/adapter/crdt-ref.ts";
import { type EmittedTest, emitTests } from "../../converge/replay/emit-test.ts";
import { parseReplayFile } from "../../converge/replay/replay-file.ts";
import type { ConvergeRun } from "../../converge/run-converge.ts";
import { builtFile } from "../../package-root.ts";
import { makeFolders, writing } from "../../storage-error.ts";

/**
 * Writes a test file with the first counterexample of every data type by each oracle. Gives how many; with none, nothing
 * is written.
 * @param path absolute
 */
export function writeTests(path: string, { crdts, files }: ConvergeRun, refs: readonly CrdtRef[]): number {
  const tests = crdts.flatMap(({ name, failures }) => {
    const module = moduleFrom(
      path,
      refs.find((ref) => ref.name === name),
    );
    return failures.flatMap(({ oracle, file, steps }, at): EmittedTest[] => {
      if (file === undefined || failures.findIndex((failure) => failure.oracle === oracle) !== at) return [];
      const { schema: _, ...counterexample } = parseReplayFile(files[file]!, file);
      return [{ counterexample, steps: steps.map(({ text }) => text), ...(module === undefined ? {} : { module }) }];
    });
  });
  if (tests.length === 0) return 0;
  writing(
    path,
    () => {
      makeFolders(dirname(path));
      writeFileSync(path, emitTests(tests));
    },
    "another file with --emit-test",
  );
  return tests.length;
}

/** A user's own module from where the test lies; undefined for what is built in, which has a name. */
function moduleFrom(path: string, ref: CrdtRef | undefined): string | undefined {
  if (ref === undefined || ref.path.startsWith(builtFile("workloads"))) return undefined;
  const way = relative(dirname(path), ref.path).split(sep).map(encodeURIComponent).join("/");
  return way.startsWith(".") ? way : `./${way}`;
}

/** What is told of it. */
export function toldTests(path: string, count: number): string {
  if (count === 0) return `Nothing failed, so ${path} was not written.\n`;
  return `${path}: ${count} test${count === 1 ? "" : "s"} for vitest.\n`;
}
