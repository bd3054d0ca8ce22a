import { describe, expect, it } from "vitest";
import { resultSchema } from "../../../harness/results/result-schema.ts";
import { builtInReporters, defaultReporters, findReporter } from "../../../reports/registry.ts";
import { exampleResults, hostileResults } from "../../fixtures/results/all.ts";
import { context, golden } from "../../fixtures/results/context.ts";

const examples = Object.entries(exampleResults).map(([name, make]) => ({ name, make }));
const hostile = Object.entries(hostileResults).map(([name, make]) => ({ name, make }));

describe("the registry of reporters", () => {
  it("names each once, with a sentence", () => {
    const names = builtInReporters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { summary } of builtInReporters) expect(summary).toMatch(/^[A-Z].*[^.]$/);
    for (const name of defaultReporters) expect(findReporter(name)).toBeDefined();
    expect(findReporter("no-such-reporter")).toBeUndefined();
  });
});

describe.each(examples)("a result: $name", ({ name, make }) => {
  const result = make();

  it("is one that the schema takes", () => {
    expect(resultSchema.parse(result)).toEqual(result);
  });

  it.each(builtInReporters)("is reported by $name as the golden file says", async ({ name: reporter, writes }) => {
    const output = await findReporter(reporter)?.onResult?.(result, context);
    expect(Object.keys(output?.files ?? {}).filter((file) => file !== writes)).toEqual([]);
    const text = [output?.stdout, ...Object.values(output?.files ?? {})].join("");
    expect(text).not.toMatch(/undefined|NaN|\[object|Infinity/);
    // The pages' style, script and drawings change often and are looked at in a browser; their words must not.
    const words = reporter === "html" ? structureOf(text) : text;
    await expect(words).toMatchFileSnapshot(golden(`${name}.${reporter}.txt`));
  });
});

describe.each(hostile)("hostile texts in a result: $name", ({ make }) => {
  it.each(builtInReporters)("do no harm in $name", async ({ name: reporter }) => {
    const output = await findReporter(reporter)?.onResult?.(make(), context);
    const text = [output?.stdout, ...Object.values(output?.files ?? {})].join("");
    expect(text.length).toBeLessThan(700_000);
    if (reporter !== "benchmark") {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text)).toBe(false);
    }
    if (reporter === "html") {
      expect(text.match(/<script/g)).toHaveLength(1);
      expect(text.includes("<img")).toBe(false);
    }
    if (reporter === "junit") {
      expect(/<(?!\/?(testsuites?|testcase|failure|error|skipped|system-out|\?xml)[\s>])/.test(text)).toBe(false);
    }
  });
});

/** Elements, classes, ids and words of a page, a line each; without style, script, drawings and their numbers. */
function structureOf(page: string): string {
  return page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replace(/sha256-[A-Za-z0-9+/=]+/g, "sha256-…")
    .replace(
      /<svg viewBox[\s\S]*?<\/svg>/g,
      (svg) => `<svg>${[...svg.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label).join("")}</svg>`,
    )
    .replace(/<tbody>[\s\S]*?<\/tbody>/g, (body) =>
      body.length > 4000 ? `<tbody>${body.match(/<tr/g)?.length} rows</tbody>` : body,
    )
    .replace(/></g, ">\n<");
}
