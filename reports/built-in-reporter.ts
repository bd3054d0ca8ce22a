import type { ReporterContext, ReporterOutput } from "../harness/contracts/reporter.ts";
import type { ResultKind, ResultOf } from "./result.ts";

/** A reporter as it is built in: a pure function for each kind of result that it knows. */
export interface BuiltInReporter {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  /** What it writes: file names within the run folder, or `stdout`. */
  writes: string;
  report: { [Kind in ResultKind]?: (result: ResultOf<Kind>, context: ReporterContext) => ReporterOutput };
}
