import { type BundledReport, renderBundleHtml } from "../../reports/html/bundle.ts";
import { htmlReporter } from "../../reports/html/reporter.ts";
import { toReporter } from "../../reports/registry.ts";
import type { Result } from "../results/result-schema.ts";
import type { CommandIo } from "./io.ts";

/** The HTML reports of several results, as one file. */
export async function htmlBundle(
  results: readonly Result[],
  folders: readonly string[],
  { width, environment, cwd }: Pick<CommandIo, "width" | "environment" | "cwd">,
): Promise<string> {
  const { onResult } = toReporter(htmlReporter);
  const reports: BundledReport[] = [];
  for (const [index, result] of results.entries()) {
    const context = { folder: folders[index] ?? cwd, width, environment, cwd, colour: false };
    const output = await onResult?.(result, context);
    reports.push({ result, page: output?.files?.["report.html"] ?? "" });
  }
  return renderBundleHtml(reports);
}
