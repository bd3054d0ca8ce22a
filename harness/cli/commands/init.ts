import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { flag, option } from "../../config/option.ts";
import { text } from "../../config/value-types.ts";
import { messageOf, UsageError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { templates } from "../init/templates.ts";

const group = "Files";

export const command = defineCommand({
  name: "init",
  summary: "Writes a configuration file, an example lock, an example CRDT and a CI workflow to start from",
  options: {
    dir: option({ group, type: text("DIR"), default: ".", summary: "Folder to write to" }),
    force: flag({ group, summary: "Write over files that are there" }),
  },
  examples: [
    { command: "init", does: "into this folder; files that are there stay as they are" },
    { command: "init --dir locks-under-test", does: "into another" },
  ],
  run({ options: { values } }, io) {
    const folder = join(io.cwd, values.dir);
    for (const { path, does, contents } of templates) {
      const file = join(folder, path);
      if (existsSync(file) && !values.force) {
        io.stdout(`kept   ${path} (there already; --force writes over it)\n`);
        continue;
      }
      write(file, contents);
      io.stdout(`wrote  ${path}: ${does}\n`);
    }
    const missing = ["holdfast", "ioredis"].filter((name) => !canResolve(name, folder) || !isNamed(name, folder));
    if (missing.length > 0)
      io.stdout(
        `\nThe examples import ${missing.join(" and ")}, which this package does not name: npm i -D ${missing.join(" ")}\n`,
      );
    io.stdout("\nNext: npx harness lock, and npx harness converge\n");
    return 0;
  },
});

function write(file: string, contents: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`, { code: "UNWRITABLE", cause: error });
  }
}

/** Is a package installed where files of this folder would find it? A package's own folder counts for itself. */
function canResolve(name: string, folder: string): boolean {
  try {
    createRequire(join(folder, "x.js")).resolve(`${name}/package.json`);
    return true;
  } catch {
    const manifest = join(folder, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === name;
  }
}

/**
 * Does the package that a folder belongs to name a dependency, or is it that package itself? One that is only there
 * because another needs it may be gone with the next install.
 */
function isNamed(name: string, folder: string): boolean {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) {
    const above = dirname(folder);
    return above === folder || isNamed(name, above);
  }
  try {
    const { name: own, dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(manifest, "utf8"));
    return own === name || name in { ...dependencies, ...devDependencies, ...peerDependencies };
  } catch {
    return true;
  }
}
