import type { BuiltInReporter } from "../built-in-reporter.ts";
import { renderBenchHtml } from "./bench.ts";
import { renderCompareHtml } from "./compare.ts";
import { renderConvergeHtml } from "./converge.ts";
import { renderLockHtml } from "./lock.ts";
import { renderMatrixHtml } from "./matrix.ts";

const file = (text: string) => ({ files: { "report.html": text } });

export const htmlReporter: BuiltInReporter = {
  name: "html",
  summary: "One self-contained page with charts, evidence and numbers; works offline, printed and without JavaScript",
  writes: "report.html",
  report: {
    lock: (result) => file(renderLockHtml(result)),
    matrix: (result) => file(renderMatrixHtml(result)),
    bench: (result) => file(renderBenchHtml(result)),
    compare: (result) => file(renderCompareHtml(result)),
    converge: (result) => file(renderConvergeHtml(result)),
  },
};
