import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadModule } from "../../../harness/load-module.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-load-"));
  mkdirSync(join(folder, "tmp"));
  vi.stubEnv("TMPDIR", join(folder, "tmp"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const written = () => {
  const path = join(folder, "mine.ts");
  writeFileSync(path, "export const answer: number = 42;\n");
  return path;
};

test("a TypeScript module is translated once, into the cache of the product and not into the temporary folder", async () => {
  vi.stubEnv("HOLDFAST_CACHE", join(folder, "cache"));
  expect(await loadModule(written())).toMatchObject({ answer: 42 });
  expect(readdirSync(join(folder, "cache", "modules"))).toEqual([expect.stringMatching(/mine/)]);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

test("where no cache can be written nothing is kept", async () => {
  const path = written();
  // A file is in its place.
  vi.stubEnv("HOLDFAST_CACHE", join(path, "cache"));
  expect(await loadModule(path)).toMatchObject({ answer: 42 });
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});
