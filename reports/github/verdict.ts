import type { AnyResult } from "../result.ts";
import { spokenVerdict } from "../verdict.ts";
import type { Annotation } from "./annotation.ts";

/** The verdict of the run; nothing when it passed. */
export function verdictAnnotations(result: AnyResult): Annotation[] {
  const { kind, status } = result;
  if (status === "passed") return [];
  const { headline, reason } = spokenVerdict(result);
  const level = status === "failed" ? "error" : "warning";
  const said = reason === undefined ? headline : `${headline} ${reason}`;
  const message = `${said} Run it again: ${result.replay}`;
  return [{ level, title: `Holdfast ${kind}: ${status}`, message }];
}
