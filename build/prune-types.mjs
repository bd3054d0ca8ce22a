import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const reference = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;

/** Removes the declarations that none of the entries reaches, and the folders that are empty then. */
export function pruneTypes(folder, entries) {
  const reached = new Set();
  const queue = entries.map((entry) => resolve(folder, entry));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, specifier] of text.matchAll(reference)) queue.push(declarationOf(resolve(dirname(file), specifier)));
  }
  removeUnless(folder, reached);
}

function declarationOf(path) {
  const found = [path.replace(/\.[cm]?[jt]s$/, ".d.ts"), path].find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`a declaration refers to ${path}, which is not there`);
  return found;
}

function removeUnless(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnless(path, kept);
    else if (!kept.has(resolve(path))) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
