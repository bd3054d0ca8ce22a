import type { ReporterContext } from "../../harness/contracts/reporter.ts";
import type { BuiltInReporter } from "../built-in-reporter.ts";
import { shownFolder } from "../paths.ts";
import { renderBenchTerminal } from "./bench.ts";
import { renderCompareTerminal } from "./compare.ts";
import { renderConvergeTerminal } from "./converge.ts";
import { renderLockTerminal, type TerminalOptions } from "./lock.ts";
import { renderMatrixTerminal } from "./matrix.ts";

export const terminal: BuiltInReporter = {
  name: "terminal",
  summary: "The verdict, the table, findings with their evidence, and how to run it again",
  writes: "stdout",
  report: {
    lock: (result, context) => ({ stdout: renderLockTerminal(result, options(context)) }),
    matrix: (result, context) => ({ stdout: renderMatrixTerminal(result, options(context)) }),
    bench: (result, context) => ({ stdout: renderBenchTerminal(result, options(context)) }),
    compare: (result, context) => ({ stdout: renderCompareTerminal(result, options(context)) }),
    converge: (result, context) => ({ stdout: renderConvergeTerminal(result, options(context)) }),
  },
};

function options(context: ReporterContext): TerminalOptions {
  return { colour: context.colour, width: context.width, folder: shownFolder(context) };
}
