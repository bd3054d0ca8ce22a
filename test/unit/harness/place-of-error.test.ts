import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadModule } from "../../../harness/load-module.ts";
import { placeOfError } from "../../../harness/place-of-error.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-place-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const messageFor = async (file: string, text: string) => {
  const path = join(folder, file);
  writeFileSync(path, text);
  const error = await loadModule(path).catch((reason: Error) => reason);
  return (error as Error).message.replaceAll(`${folder}/`, "");
};

const wrong = "export const a = 1;\nexport const createLock = ({ nodes ) => 1;\n";
const throwing = "export const a = 1;\n\nthrow new Error('no key');\n";

test.each([
  ["wrong.ts", wrong, /^wrong\.ts could not be loaded: .*\n.*wrong\.ts:2:35$/],
  ["throwing.mjs", throwing, /^throwing\.mjs could not be loaded: no key \(line 3\)$/],
  ["throwing.ts", throwing, /^throwing\.ts could not be loaded: no key \(line 3\)$/],
  ["imports.mjs", "import './throwing.mjs';", /^imports\.mjs could not be loaded: no key$/],
  ["thrown.mjs", "throw 'a word';", /^thrown\.mjs could not be loaded: a word$/],
])("%s: the message says where", async (file, text, message) => {
  expect(await messageFor(file, text)).toMatch(message);
});

test("of a syntax error in an ES module, which does not say where, the line is found", () => {
  const path = join(folder, "wrong.mjs");
  writeFileSync(path, wrong);
  expect(placeOfError(new SyntaxError("Unexpected token ')'"), path)).toBe("line 2");
});

test("an error of elsewhere has no place in the module", () => {
  expect(placeOfError(new Error("here"), join(folder, "wrong.mjs"))).toBeUndefined();
});
