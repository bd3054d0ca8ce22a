import type { Status } from "../../results/common-schema.ts";

const exitCodes = { passed: 0, failed: 1, unknown: 2, interrupted: 130 } as const satisfies Record<Status, number>;

/** The exit code of a run that ended with this status. The signal that interrupted one has the last word, in `main`. */
export function exitCodeOf(status: Status): number {
  return exitCodes[status];
}
