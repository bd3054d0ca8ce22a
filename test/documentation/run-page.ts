import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { execa } from "execa";
import { type DocumentedCommand, type Page, shortened } from "./page.ts";

export interface CommandOutcome {
  command: string;
  exitCode: number | undefined;
  output: string;
  ms: number;
}

/** A folder as a reader has it who installed the package: `npx harness` is the built command of this checkout. */
export function readersFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-docs-"));
  mkdirSync(join(folder, "node_modules"));
  mkdirSync(join(folder, ".programs"));
  // A copy, as an installed package is one: what lies in node_modules by its real path is not transformed by vite.
  const installed = join(folder, "node_modules", "holdfast");
  for (const path of ["package.json", "dist"]) cpSync(path, join(installed, path), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const optional = ["vitest", "vite", "yjs", "loro-crdt", "bullmq"];
  for (const name of [...Object.keys(dependencies), ...optional]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), '{ "name": "reader", "version": "1.0.0", "type": "module" }\n');
  // Everything else that npx is asked for is the real one's.
  const real = resolve(dirname(process.execPath), "npx");
  const bin = join(installed, "dist/harness/cli/bin.js");
  const vitest = resolve("node_modules/vitest/vitest.mjs");
  const npx = `#!/bin/sh
case "$1" in
  harness) shift; exec "${process.execPath}" "${bin}" "$@" ;;
  vitest) shift; exec "${process.execPath}" "${vitest}" "$@" ;;
esac
exec "${real}" "$@"
`;
  writeFileSync(join(folder, ".programs", "npx"), npx, { mode: 0o755 });
  const harness = `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`;
  writeFileSync(join(folder, ".programs", "harness"), harness, { mode: 0o755 });
  return folder;
}

/** Writes the files of a page down and runs its commands one after the other, each in the folder that the last one left. */
export async function runPage(page: Page, folder: string, { full }: { full: boolean }): Promise<CommandOutcome[]> {
  for (const { name, contents } of page.files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), contents);
  }
  const outcomes: CommandOutcome[] = [];
  for (const command of page.commands) {
    if (command.directives.skip === undefined) outcomes.push(await runCommand(command, folder, full));
  }
  return outcomes;
}

async function runCommand(documented: DocumentedCommand, folder: string, full: boolean): Promise<CommandOutcome> {
  const { before } = documented.directives;
  if (before !== undefined) await shell(before, folder, {});
  const command = full ? documented.written : shortened(documented);
  const startedMs = performance.now();
  // One thread, where a few schedules are enough.
  const env = full ? {} : { HARNESS_THREADS: "1", ...documented.directives.env };
  const { exitCode, all } = await shell(command, folder, env);
  return { command, exitCode, output: all ?? "", ms: performance.now() - startedMs };
}

const shell = (command: string, folder: string, env: Readonly<Record<string, string>>) =>
  execa("sh", ["-c", command], {
    cwd: folder,
    all: true,
    reject: false,
    stdin: "ignore",
    env: {
      PATH: `${join(folder, ".programs")}:${process.env.PATH}`,
      HOME: folder,
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
      ...env,
    },
  });

export const pagePaths = (): string[] => [
  "README.md",
  ...readdirSync("docs", { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((path) => path.endsWith(".md") && !path.startsWith("docs/reference/"))
    .sort(),
];

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
