import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readPage, unmarkedCommands } from "../documentation/page.ts";
import { pagePaths, readersFolder, removeFolder, runPage } from "../documentation/run-page.ts";

/** `npm run soak:docs` runs every command as it is written; otherwise the long ones are shortened as the pages say. */
const full = process.env.HOLDFAST_DOCS_FULL === "1";

describe.concurrent("the commands of the documentation work as pasted", () => {
  test.for(pagePaths())("%s", { timeout: full ? 3_600_000 : 180_000 }, async (path, { expect, onTestFinished }) => {
    const page = readPage(readFileSync(path, "utf8"));
    const folder = readersFolder();
    onTestFinished(() => removeFolder(folder));
    const outcomes = await runPage(page, folder, { full });
    const expected = page.commands.filter(({ directives }) => directives.skip === undefined);
    outcomes.forEach(({ command, exitCode, output }, index) => {
      const { exit: usual, soakExit } = expected[index]!.directives;
      const exit = full ? (soakExit ?? usual) : usual;
      expect(exit, `${path}: ${command}\nended with ${exitCode}:\n${output}`).toContain(exitCode);
    });
  });
});

test("a command stands in a `sh` block, where it is run", () => {
  const unmarked = pagePaths().flatMap((path) =>
    unmarkedCommands(readFileSync(path, "utf8")).map((command) => `${path}: ${command}`),
  );
  expect(unmarked).toEqual([]);
});

test("what is skipped has a reason, and is little", () => {
  const commands = pagePaths().flatMap((path) => readPage(readFileSync(path, "utf8")).commands);
  const skipped = commands.filter(({ directives }) => directives.skip !== undefined);
  expect(commands.length).toBeGreaterThan(40);
  expect(skipped.length / commands.length).toBeLessThan(0.15);
});
