/**
 * `import "holdfast/vitest"` gives vitest's `expect` the matchers `toHold` and `toConverge`. A failure shows the finding
 * and the events that prove it, or the shrunk counterexample. A run that could have shown neither passes neither the
 * matcher nor its opposite.
 */
import { expect } from "vitest";
import { type Judgement, judgeConvergence, judgeHold } from "./library/judge.ts";
import { resultOf } from "./library/result-of.ts";

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
    const result = resultOf(received, { judge: "toHold", kinds: ["lock", "matrix"], makers: "runLock or runMatrix" });
    return outcome(judgeHold(result, name), this.isNot);
  },
  toConverge(received: unknown, name?: string) {
    const result = resultOf(received, { judge: "toConverge", kinds: ["converge"], makers: "converge" });
    return outcome(judgeConvergence(result, name), this.isNot);
  },
});

function outcome({ verdict, message }: Judgement, isNot: boolean): { pass: boolean; message: () => string } {
  return { pass: verdict === "unknown" ? isNot : verdict === "yes", message: () => message };
}
