import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { referencePages } from "../../../build/docs/pages.ts";

test("the pages of the reference are those that the registries give: else run `npm run docs`", async () => {
  const pages = await referencePages();
  for (const [path, text] of Object.entries(pages)) {
    expect(existsSync(path) ? readFileSync(path, "utf8") : `${path} is not there`, path).toBe(text);
  }
  const there = readdirSync("docs/reference").map((name) => `docs/reference/${name}`);
  expect(there.sort()).toEqual(Object.keys(pages).sort());
});

test("every link of the documentation leads somewhere", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    ...readdirSync("docs", { recursive: true }).map((name) => `docs/${name}`),
  ];
  const broken = pages
    .filter((path) => path.endsWith(".md"))
    .flatMap((path) =>
      linksOf(path)
        .filter((link) => !leads(path, link))
        .map((link) => `${path}: ${link}`),
    );
  expect(broken).toEqual([]);
});

function linksOf(path: string): string[] {
  const prose = readFileSync(path, "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function leads(path: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? path : join(dirname(path), file);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(target, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(anchor);
}
