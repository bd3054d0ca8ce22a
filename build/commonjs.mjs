import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Writes `<entry>.cjs` beside a built ES module, and its types: what `require` gets is the same module, so that classes
 * and state exist once. Node loads ES modules by `require` from 20.19 on.
 */
export async function writeCommonJs({ outdir, entry, types }) {
  const name = basename(entry);
  writeFileSync(join(outdir, `${entry}.cjs`), `"use strict";\n\nmodule.exports = require("./${name}.js");\n`);
  if (!types) return;
  const module = await import(pathToFileURL(join(outdir, `${entry}.js`)).href);
  const from = `"./${name}.js", { with: { "resolution-mode": "import" } }`;
  const lines = Object.entries(module).flatMap(([key, value]) => [
    `export declare const ${key}: typeof import(${from}).${key};`,
    ...(isClass(value) ? [`export type ${key} = import(${from}).${key};`] : []),
  ]);
  const all = `export type * from "./${name}.js" with { "resolution-mode": "import" };`;
  writeFileSync(join(outdir, "types", `${entry}.d.cts`), `${[all, ...lines].join("\n")}\n`);
}

const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
