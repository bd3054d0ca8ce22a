import type { BuiltInReporter } from "../built-in-reporter.ts";
import { renderBenchJunit } from "./bench.ts";
import { renderCompareJunit } from "./compare.ts";
import { renderConvergeJunit } from "./converge.ts";
import { renderLockJunit } from "./lock.ts";
import { renderMatrixJunit } from "./matrix.ts";

const file = (text: string) => ({ files: { "junit.xml": text } });

export const junit: BuiltInReporter = {
  name: "junit",
  summary: "JUnit XML, one case for each workload and check",
  writes: "junit.xml",
  report: {
    lock: (result) => file(renderLockJunit(result)),
    compare: (result) => file(renderCompareJunit(result)),
    converge: (result) => file(renderConvergeJunit(result)),
    matrix: (result) => file(renderMatrixJunit(result)),
    bench: (result) => file(renderBenchJunit(result)),
  },
};
