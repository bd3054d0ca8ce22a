import type { Reporter, ReporterContext, ReporterOutput } from "../harness/contracts/reporter.ts";
import { benchmark } from "./benchmark/reporter.ts";
import type { BuiltInReporter } from "./built-in-reporter.ts";
import { github } from "./github/reporter.ts";
import { htmlReporter } from "./html/reporter.ts";
import { junit } from "./junit/reporter.ts";
import { markdown } from "./markdown/reporter.ts";
import type { AnyResult } from "./result.ts";
import { terminal } from "./terminal/reporter.ts";

export const builtInReporters: readonly BuiltInReporter[] = [
  terminal,
  htmlReporter,
  markdown,
  junit,
  github,
  benchmark,
];

/** Used when none is named. */
export const defaultReporters: readonly string[] = ["terminal", "html"];

export function findReporter(name: string): Reporter<AnyResult> | undefined {
  const builtIn = builtInReporters.find((reporter) => reporter.name === name);
  return builtIn === undefined ? undefined : toReporter(builtIn);
}

/** A built-in reporter behind the interface that a user's own has; silent on kinds of results that it does not know. */
export function toReporter({ report }: BuiltInReporter): Reporter<AnyResult> {
  return {
    onResult(result, context) {
      const render = report[result.kind] as ((one: AnyResult, context: ReporterContext) => ReporterOutput) | undefined;
      return render?.(result, context) ?? {};
    },
  };
}
