import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderBundleHtml } from "../../reports/html/bundle.ts";
import { findReporter } from "../../reports/registry.ts";
import type { AnyResult } from "../../reports/result.ts";
import { spokenVerdict } from "../../reports/verdict.ts";
import { exampleResults, hostileResults } from "../fixtures/results/all.ts";
import { context } from "../fixtures/results/context.ts";
import { chromiumPath, launchBrowser, withoutBrowser } from "./browser.ts";

interface AxeViolation {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary?: string }[];
}

const inWords = ({ id, nodes }: AxeViolation) =>
  `${id}: ${nodes
    .slice(0, 3)
    .map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`)
    .join("; ")}`;

/** What lies outside the window sideways and cannot be scrolled to. */
const cutOff = `[...document.querySelectorAll('main h1, main h2, main h3, main p, main figure')]
  .filter((one) => one.offsetParent && (one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < 0))
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Texts of drawings that lie on each other or leave their drawing. */
const collisions = `[...document.querySelectorAll('main figure svg[role=img]')].filter((one) => one.getBoundingClientRect().width > 0).flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((one) => ({ said: one.textContent, box: one.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
  const outside = texts.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1);
  const over = texts.flatMap((a, index) => texts.slice(index + 1).filter((b) =>
    Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 2 && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 6).map((b) => [a, b]));
  const title = svg.getAttribute('aria-label').slice(0, 60);
  return [...outside.map(({ said }) => title + ': outside: ' + said), ...over.map(([a, b]) => title + ': ' + a.said + ' over ' + b.said)];
})`;

const examples = Object.entries(exampleResults).map(([name, make]) => ({ name, make }));
const hostile = Object.entries(hostileResults).map(([name, make]) => ({ name, make }));

describe.skipIf(chromiumPath === undefined)(`HTML reports in a browser${withoutBrowser}`, () => {
  let browser: Browser;
  let folder: string;
  let axe: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(join(tmpdir(), "holdfast-reports-"));
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  });

  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function open(
    name: string,
    result: AnyResult,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; troubles: string[] }> {
    const output = await findReporter("html")?.onResult?.(result, context);
    return await openText(name, output?.files?.["report.html"] ?? "", options);
  }

  async function openText(
    name: string,
    text: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; troubles: string[] }> {
    const file = join(folder, `${name}.html`);
    await writeFile(file, text);
    const tab = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await tab.newPage();
    const troubles: string[] = [];
    const own = pathToFileURL(file).href;
    page.on("console", (message) => troubles.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (request.url() !== own && !request.url().startsWith("data:")) troubles.push(`request: ${request.url()}`);
    });
    page.on("dialog", (dialog) => troubles.push(`dialog: ${dialog.message()}`));
    await page.goto(own);
    return { page, troubles };
  }

  it("several in one file are sound, and opened one by one", async () => {
    const names = ["lock-passed", "matrix", "compare-broken", "converge-passed"];
    const reports = await Promise.all(
      names.map(async (name) => {
        const result = exampleResults[name]?.() as AnyResult;
        return {
          result,
          page: (await findReporter("html")?.onResult?.(result, context))?.files?.["report.html"] ?? "",
        };
      }),
    );
    const { page, troubles } = await openText("bundle", renderBundleHtml(reports), {
      viewport: { width: 375, height: 800 },
    });
    const first = page.locator("#report-1 > details");
    expect(await first.getAttribute("open")).toBeNull();
    await first.locator("> summary").click();
    await page.locator("#r1-table-title").waitFor({ state: "visible" });
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })");
    await page.evaluate(axe);
    const violations = (await page.evaluate(
      "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
    )) as AxeViolation[];
    expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(inWords)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
    expect(troubles).toEqual([]);
    await close(page);
  });

  const close = (page: Page) => page.context().close();

  describe.each(examples)("$name", ({ name, make }) => {
    it.each([
      { colorScheme: "light", width: 1440 },
      { colorScheme: "dark", width: 375 },
    ] as const)(
      "is sound in $colorScheme at $width px: no error, no request, no serious fault, no overflow",
      async ({ colorScheme, width }) => {
        const { page, troubles } = await open(name, make(), { colorScheme, viewport: { width, height: 800 } });
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })");
        await page.evaluate(axe);
        const violations = (await page.evaluate(
          "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
        )) as AxeViolation[];
        expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(inWords)).toEqual(
          [],
        );
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await page.evaluate(cutOff)).toEqual([]);
        expect(await page.evaluate(collisions)).toEqual([]);
        expect(troubles).toEqual([]);
        await close(page);
      },
    );

    it("shows everything essential without JavaScript, and printed", async () => {
      const { page } = await open(name, make(), { javaScriptEnabled: false });
      const result = make();
      const text = (await page.locator("body").textContent())?.replaceAll("\u00a0", " ");
      const { headline, reason } = spokenVerdict(result);
      expect(text).toContain(headline);
      expect(text).toContain(reason ?? headline);
      expect(text).toContain(result.replay);
      expect(await page.locator("main table").first().isVisible()).toBe(true);
      expect(await page.locator(".js-only").first().isVisible()).toBe(false);
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: 720, height: 1000 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(720);
      for (const details of (await page.locator("main details").all()).slice(0, 6)) {
        const [first] = await details.locator(":scope > :not(summary)").all();
        expect(await first?.isVisible()).toBe(true);
      }
      await close(page);
    });
  });

  it.each(["lock-failed", "converge-failed", "matrix"])(
    "reaches the evidence of %s by keyboard and opens it",
    async (name) => {
      const { page } = await open(name, exampleResults[name]?.() as AnyResult);
      const evidence = /Evidence, \d+ events|Every step|broke/;
      const opened = () => page.evaluate("document.activeElement.parentElement.open");
      for (let presses = 0; presses < 120; presses++) {
        await page.keyboard.press("Tab");
        const focused = (await page.evaluate(
          "document.activeElement.tagName === 'SUMMARY' ? document.activeElement.textContent : ''",
        )) as string;
        if (!evidence.test(focused)) continue;
        const before = await opened();
        await page.keyboard.press("Enter");
        expect(await opened()).toBe(!before);
        await close(page);
        return;
      }
      throw new Error("the keyboard never reached the evidence");
    },
  );

  it("opens the evidence of a cell from the grid", async () => {
    const { page } = await open("matrix", exampleResults.matrix?.() as AnyResult);
    const cell = page.locator("a.chip").first();
    const target = (await cell.getAttribute("href")) ?? "";
    await cell.click();
    await page.locator(`${target} .finding`).first().waitFor({ state: "visible" });
    await close(page);
  });

  it("opens a counterexample from the kill table", async () => {
    const { page } = await open("converge-zoo", exampleResults["converge-zoo"]?.() as AnyResult);
    await page.locator("main table a").nth(2).click();
    await page.locator("#counterexample-broken-no-tombstone svg").first().waitFor({ state: "visible" });
    await close(page);
  });

  it("shows values under the pointer, and the other theme on request", async () => {
    const { page } = await open("lock-passed", exampleResults["lock-passed"]?.() as AnyResult);
    const chart = page.locator("figure[data-rows='duplicates-time-numbers'] .wide svg");
    await chart.scrollIntoViewIfNeeded();
    await chart.hover();
    expect(await page.locator("figure[data-rows='duplicates-time-numbers'] .readout").textContent()).toMatch(
      /round 2.*set-nx 0/,
    );
    const ground = "getComputedStyle(document.body).backgroundColor";
    const before = await page.evaluate(ground);
    await page.locator("#theme").click();
    expect(await page.evaluate(ground)).not.toBe(before);
    await close(page);
  });

  it.each(hostile)("keeps hostile texts of $name text", async ({ name, make }) => {
    for (const width of [375, 1440]) {
      const { page, troubles } = await open(`hostile-${name}`, make(), { viewport: { width, height: 800 } });
      expect(troubles).toEqual([]);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect(await page.locator("img, iframe, object, embed").count()).toBe(0);
      expect(await page.locator("script").count()).toBe(1);
      expect(await page.locator("body").textContent()).toContain("<script>window.hacked=1</script>");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await close(page);
    }
  });
});
