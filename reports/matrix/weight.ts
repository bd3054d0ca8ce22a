import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";

/**
 * What a cell means for the status of the run, and so for its exit code: a matrix reports what it sees, and a cell that
 * broke fails it only under `--fail-on`; in a self-test it is the expectation that counts. `open`: it left the run without
 * a verdict.
 */
export type CellWeight = "fails" | "open" | "counts not";

export function cellWeights({ locks, selfTest, config, status }: MatrixResult): (cell: MatrixCell) => CellWeight {
  if (selfTest !== undefined) {
    return ({ lock, scenario }) => {
      const expected = selfTest.find((one) => one.lock === lock && one.scenario === scenario);
      if (expected?.verdict === "missed" || expected?.verdict === "false alarm") return "fails";
      return expected?.verdict === "not reached" && expected.checks.length > 0 ? "open" : "counts not";
    };
  }
  const failOn = [config.failOn ?? []].flat();
  const onPurpose = new Set(locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  return ({ lock, verdict }) => {
    if (failOn.includes(verdict) && !onPurpose.has(lock)) return "fails";
    return status === "unknown" && verdict === "unknown" ? "open" : "counts not";
  };
}
