// npm run docs: writes the pages of the reference from the registries. A test fails when they are stale.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { referencePages } from "./pages.ts";

for (const [path, text] of Object.entries(await referencePages())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
