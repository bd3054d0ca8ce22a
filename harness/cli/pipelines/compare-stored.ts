import { compareResults } from "../../../reports/compare/compare.ts";
import { differencesOf, refusal } from "../../../reports/compare/differences.ts";
import { UsageError } from "../../errors.ts";
import { createRunFolder } from "../../results/store.ts";
import type { CompareRequest } from "../compare-request.ts";
import { environmentFacts } from "../environment.ts";
import { type FoundResult, findResult } from "../find-result.ts";
import type { CommandIo } from "../io.ts";
import { runReporters } from "../reporters.ts";
import { toolFacts } from "../version.ts";
import { exitCodeOf } from "./exit-code.ts";

/** Compares two stored results, stores the comparison and reports it. Gives the exit code. */
export async function compareStored(request: CompareRequest, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const place = { cwd: io.cwd, out: request.outFolder };
  const [baseName = "", headName = "latest"] = request.sides;
  const [base, head] = [findResult(baseName, place), findResult(headName, place)];
  const refused = refusal(differencesOf(base.result, head.result));
  if (base.result.kind !== head.result.kind)
    throw new UsageError(
      `A ${base.result.kind} result cannot be compared with a ${head.result.kind} result (${base.label}, ${head.label}).`,
      { code: "NOT_COMPARABLE" },
    );
  if (refused !== undefined && request.statistics.force !== true)
    throw new UsageError(refused, { code: "NOT_COMPARABLE" });

  const folder = createRunFolder({ out: request.outFolder, kind: "compare", startedAt });
  io.setRunFolder(folder.path);
  const result = compareResults(base.result, head.result, request.statistics, {
    id: folder.id,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    argv: [...request.argv],
    config: { ...request.config },
    replay: request.replay(),
    tool: toolFacts(),
    environment: environmentFacts(),
    labels: { base: base.label, head: head.label },
    warnings: [...shadowsOf("base", base), ...shadowsOf("head", head)],
  });
  folder.writeResult(result);
  await runReporters(result, { reporters: request.reporters, folder: folder.path, json: request.json, io });
  return exitCodeOf(result.status);
}

/** What a result that was cut short, or that could not have failed, says less of. */
function shadowsOf(side: "base" | "head", { result }: FoundResult): string[] {
  if (result.status === "interrupted")
    return [`The ${side} was interrupted: what it does not show may only not have been reached.`];
  if (result.status === "unknown") return [`The ${side} by itself is unknown: ${result.statusReason}`];
  return [];
}
