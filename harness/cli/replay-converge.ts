import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { refuseUnwritable } from "../config/outside.ts";
import { parseConvergePlan } from "../results/converge-plan-schema.ts";
import { kindOfPlan, readStoredPlan } from "../results/stored-document.ts";
import type { ConvergePlan, ConvergeRequest } from "./converge-request.ts";
import { shellQuote } from "./replay-command.ts";
import { rebound } from "./replay-request.ts";

/** Is it the plan of a convergence run? What cannot be read is not, and is refused by whoever reads it. */
export function isConvergePlan(path: string): boolean {
  try {
    return kindOfPlan(readFileSync(path, "utf8")) === "converge";
  } catch {
    return false;
  }
}

/** A stored convergence plan as a run that is ready to start. Starts nothing; throws `UsageError`. */
export function makeConvergeReplay(
  path: string,
  { cwd, ...rest }: Pick<ConvergeRequest, "argv" | "outFolder" | "reporters" | "json" | "emitTest"> & { cwd: string },
): ConvergeRequest {
  const stored = readStoredPlan(path, "converge", parseConvergePlan) as ConvergePlan;
  const plan = { ...stored, crdts: stored.crdts.map((crdt) => ({ ...crdt, ...rebound("crdt", crdt) })) };
  refuseUnwritable(rest.outFolder);
  return {
    ...rest,
    plan,
    config: { plan: path, seed: String(plan.seed) },
    replay: `npx harness replay ${shellQuote(relative(cwd, path) || path)}`,
  };
}
