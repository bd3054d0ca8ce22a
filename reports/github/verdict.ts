import type { Status } from "../../harness/results/common-schema.ts";
import type { Annotation } from "./annotation.ts";

/** The verdict of the run; nothing when it passed. */
export function verdictAnnotations(kind: string, status: Status, headline: string, reason: string): Annotation[] {
  if (status === "passed") return [];
  const level = status === "failed" ? "error" : "warning";
  return [{ level, title: `Holdfast ${kind}: ${status}`, message: `${headline} ${reason}` }];
}
