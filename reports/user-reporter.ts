import type { Reporter, ReporterContext, RunBegin } from "../harness/contracts/reporter.ts";
import type { AnyResult } from "./result.ts";

/** Types a user's module: `export default defineReporter({ onResult: (result) => ({ stdout: result.status }) })`. */
export function defineReporter(reporter: Reporter<AnyResult>): Reporter<AnyResult> {
  return reporter;
}

/**
 * The reporter that a user's module exports: an object with `onResult` or `onBegin`, or a function that makes one, as the default
 * export or as `reporter`. A string says what is wrong with the module.
 */
export function readReporterModule(exports: unknown): Reporter<AnyResult> | string {
  const exported = propertyOf(exports, "default") ?? propertyOf(exports, "reporter") ?? exports;
  const inner = propertyOf(exported, "default") ?? exported;
  const made: unknown = typeof inner === "function" ? inner() : inner;
  const [onBegin, onResult] = [propertyOf(made, "onBegin"), propertyOf(made, "onResult")];
  if (typeof onResult !== "function" && typeof onBegin !== "function") {
    return "it must export, as default or as `reporter`, an object with a function `onResult(result, context)`";
  }
  return {
    ...(typeof onBegin === "function"
      ? { onBegin: (begin: RunBegin, context: ReporterContext) => onBegin.call(made, begin, context) }
      : {}),
    ...(typeof onResult === "function"
      ? { onResult: (result: AnyResult, context: ReporterContext) => onResult.call(made, result, context) }
      : {}),
  };
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
