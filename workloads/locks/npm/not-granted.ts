import type { AcquireOutcome, NodeError } from "../../../harness/contracts/lock-adapter.ts";
import { isServerRefusal } from "../outcomes.ts";
import { majorityOf } from "../quorum.ts";

/**
 * What a library's "could not acquire" means, given what its nodes said: refused, when those that failed do not explain
 * it; failed, when they do; indeterminate, when so many said nothing that a majority may have set the key.
 */
export function notGranted(
  error: unknown,
  { nodes, nodeErrors }: { nodes: number; nodeErrors: readonly NodeError[] },
): AcquireOutcome {
  const silent = nodeErrors.filter((one) => !isServerRefusal(one.error)).length;
  if (silent >= majorityOf(nodes)) return { outcome: "indeterminate", error, nodeErrors };
  if (nodes - nodeErrors.length < majorityOf(nodes)) return { outcome: "failed", error, nodeErrors };
  return { outcome: "refused" };
}
