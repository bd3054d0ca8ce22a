import type { Status } from "../../harness/results/common-schema.ts";
import type { TestCase } from "./suite.ts";

/** The verdict of the whole run as a case of its own: a run without a verdict is an error, never a pass. */
export function verdictCase(status: Status, reason: string): TestCase {
  if (status === "passed") return { name: "verdict" };
  const kind = status === "failed" ? "failure" : "error";
  return { name: "verdict", outcome: { kind, type: status, message: reason } };
}
