import type { ReporterContext, ReporterOutput } from "../../harness/contracts/reporter.ts";
import type { BuiltInReporter } from "../built-in-reporter.ts";
import { renderBenchMarkdown } from "./bench.ts";
import { renderCompareMarkdown } from "./compare.ts";
import { renderConvergeMarkdown } from "./converge.ts";
import { renderLockMarkdown } from "./lock.ts";
import { renderMatrixMarkdown } from "./matrix.ts";

export const markdown: BuiltInReporter = {
  name: "markdown",
  summary: "A summary for pull requests, appended to GITHUB_STEP_SUMMARY where there is one",
  writes: "report.md",
  report: {
    lock: (result, context) => output(renderLockMarkdown(result), context),
    compare: (result, context) => output(renderCompareMarkdown(result), context),
    converge: (result, context) => output(renderConvergeMarkdown(result), context),
    matrix: (result, context) => output(renderMatrixMarkdown(result), context),
    bench: (result, context) => output(renderBenchMarkdown(result), context),
  },
};

function output(text: string, { environment }: ReporterContext): ReporterOutput {
  const summary = environment.GITHUB_STEP_SUMMARY;
  return { files: { "report.md": text }, ...(summary ? { append: { [summary]: `${text}\n` } } : {}) };
}
