/**
 * `import "holdfast/vitest"` gives vitest's `expect` the matchers `toHold` and `toConverge`. A failure shows the finding
 * and the events that prove it, or the shrunk counterexample. A run that could have shown neither passes neither the
 * matcher nor its opposite.
 */
import { expect } from "vitest";
import { UsageError } from "../errors.ts";
import { type Result, resultSchema } from "../results/result-schema.ts";
import { type Judgement, judgeConvergence, judgeHold } from "./library/judge.ts";

interface HoldfastMatchers<Return> {
  /**
   * The lock held, in a run that could have shown otherwise: a result of `runLock` or `runMatrix`.
   * @param name judges one lock of several
   */
  toHold(name?: string): Return;
  /**
   * The replicas converged, to the right thing: a result of `converge`.
   * @param name judges one data type of several
   */
  toConverge(name?: string): Return;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: as vitest declares it
  interface Matchers<T = any> extends HoldfastMatchers<T> {}
}

expect.extend({
  toHold(received: unknown, name?: string) {
    const result = resultOf(received, "toHold", ["lock", "matrix"], "runLock or runMatrix");
    return outcome(judgeHold(result, name), this.isNot);
  },
  toConverge(received: unknown, name?: string) {
    const result = resultOf(received, "toConverge", ["converge"], "converge");
    return outcome(judgeConvergence(result, name), this.isNot);
  },
});

function outcome({ verdict, message }: Judgement, isNot: boolean): { pass: boolean; message: () => string } {
  return { pass: verdict === "unknown" ? isNot : verdict === "yes", message: () => message };
}

function resultOf<Kind extends Result["kind"]>(
  received: unknown,
  matcher: string,
  kinds: readonly Kind[],
  makers: string,
): Extract<Result, { kind: Kind }> {
  const { kind } = (received ?? {}) as { kind?: unknown };
  if (!kinds.some((one) => one === kind)) {
    const what = received instanceof Promise ? "a promise: await it" : (kind ?? typeof received);
    throw new UsageError(`${matcher} judges a result of ${makers}; this is ${String(what)}.`, { code: "BAD_RESULT" });
  }
  // A result of this process is taken as it is, so that its folder is known; others are read as files are.
  resultSchema.parse(received);
  return received as Extract<Result, { kind: Kind }>;
}
