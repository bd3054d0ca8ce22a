import { describe, expect, it } from "vitest";
import { renderBundleHtml } from "../../../../reports/html/bundle.ts";
import { findReporter } from "../../../../reports/registry.ts";
import type { AnyResult } from "../../../../reports/result.ts";
import { exampleResults, hostileResults } from "../../../fixtures/results/all.ts";
import { context } from "../../../fixtures/results/context.ts";

async function bundle(...results: AnyResult[]): Promise<string> {
  const html = findReporter("html");
  return renderBundleHtml(
    await Promise.all(
      results.map(async (result) => ({
        result,
        page: (await html?.onResult?.(result, context))?.files?.["report.html"] ?? "",
      })),
    ),
  );
}

const example = (name: string) => exampleResults[name]?.() as AnyResult;

describe("several reports in one file", () => {
  it("begin with the verdict of all, and open what failed", async () => {
    const page = await bundle(example("lock-passed"), example("compare-broken"), example("converge-passed"));
    expect(page).toContain("<h1>3\u00a0reports: 1\u00a0failed and 2\u00a0passed.</h1>");
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page.match(/id="report-\d"><details open>/g)).toHaveLength(1);
    for (const name of ["lock-passed", "compare-broken", "converge-passed"])
      expect(page).toContain(example(name).replay);
  });

  it("keep every place and every reference to it apart", async () => {
    const page = await bundle(example("matrix"), example("matrix"), example("converge-zoo"), example("lock-failed"));
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(ids);
    const referred = [...page.matchAll(/ (?:href="#|aria-labelledby="|data-rows=")([^"]+)"/g)].map(([, id]) => id);
    expect(referred.length).toBeGreaterThan(20);
    expect(referred.filter((id) => !known.has(id))).toEqual([]);
  });

  it("keep hostile texts text", async () => {
    const page = await bundle(...Object.values(hostileResults).map((make) => make()));
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<img");
  });
});
