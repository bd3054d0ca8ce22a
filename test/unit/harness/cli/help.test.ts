import { describe, expect, test } from "vitest";
import { commandIndex } from "../../../../harness/cli/commands/index.ts";
import { formatHelp } from "../../../../harness/cli/help.ts";
import { formatStartPage } from "../../../../harness/cli/start-page.ts";

describe.each(commandIndex.map((entry) => [entry.name, entry] as const))("the help of %s", (name, entry) => {
  test("names every option, keeps to the width, and has at least two examples", async () => {
    const command = await entry.load();
    expect(command.name).toBe(name);
    const help = formatHelp(command, 80);
    for (const [key, { group }] of Object.entries(command.options)) {
      const kebab = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(help).toMatch(new RegExp(`--(no-)?${kebab}\\b`));
      expect(help).toContain(`${group}:`);
    }
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    // What its last lines speak of is there.
    if (help.includes("--print-config shows")) expect(Object.keys(command.options)).toContain("printConfig");
    const [body = ""] = help.split("\nExamples:");
    for (const line of body.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });
});

test("the start page shows what to try and every command", () => {
  const page = formatStartPage(commandIndex, 80);
  expect(page).toContain("harness lock --dry-run");
  for (const { name } of commandIndex) expect(page).toMatch(new RegExp(`^ {2}${name} `, "m"));
});
