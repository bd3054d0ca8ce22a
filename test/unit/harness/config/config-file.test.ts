import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commonOptions } from "../../../../harness/config/common-options.ts";
import { readConfigFile } from "../../../../harness/config/config-file.ts";
import { lockOptions } from "../../../../harness/config/lock-options.ts";
import { UsageError } from "../../../../harness/errors.ts";

const shape = { common: commonOptions, sections: { lock: lockOptions }, shared: ["seed"] };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (cwd = folder, named?: string) => readConfigFile({ named, cwd }, shape);

describe("finding it", () => {
  test.each([
    ["harness.config.ts", "const workers: number = 6;\nexport default { out: 'o', lock: { workers, ttl: '15s' } };"],
    ["harness.config.mjs", "export default { out: 'o', lock: { workers: 6, ttl: '15s' } };"],
    ["harness.config.cjs", "module.exports = { out: 'o', lock: { workers: 6, ttl: '15s' } };"],
    ["harness.config.json", '{ "out": "o", "lock": { "workers": 6, "ttl": "15s" } }'],
    ["package.json", '{ "name": "x", "harness": { "out": "o", "lock": { "workers": 6, "ttl": "15s" } } }'],
  ])("%s", async (name, text) => {
    write(name, text);
    const file = await read();
    expect(file?.path).toBe(join(folder, name));
    const given = file?.given("lock");
    expect(given?.texts).toEqual({ out: ["o"], workers: ["6"], ttl: ["15s"] });
    expect(given?.nameOf("workers")).toBe(`${name}: lock.workers`);
    expect(given?.nameOf("out")).toBe(`${name}: out`);
  });

  test("it is looked for upwards, as far as the package", async () => {
    write("harness.config.json", "{}");
    const inner = join(folder, "a", "b");
    mkdirSync(inner, { recursive: true });
    expect((await read(inner))?.path).toBe(join(folder, "harness.config.json"));
    write("a/package.json", '{ "name": "other" }');
    expect(await read(inner)).toBeUndefined();
  });

  test("none is fine; a named one must be there", async () => {
    write("package.json", '{ "name": "x" }');
    expect(await read()).toBeUndefined();
    await expect(read(folder, "nowhere.ts")).rejects.toThrow("--config nowhere.ts: there is no such file.");
  });
});

describe("what it holds", () => {
  test("lists, and structured faults, are handed on as texts", async () => {
    write(
      "harness.config.json",
      '{ "seed": 7, "lock": { "lock": ["a", "b"], "faults": [{ "name": "redis-pause", "for": "2s" }], "allowFaultsOnExternal": true } }',
    );
    expect((await read())?.given("lock").texts).toEqual({
      seed: ["7"],
      lock: ["a", "b"],
      faults: ['{"name":"redis-pause","for":"2s"}'],
      allowFaultsOnExternal: ["true"],
    });
  });

  test.each([
    ['{ "lock": { "wrokers": 4 } }', 'harness.config.json: there is no option "lock.wrokers". Did you mean "workers"?'],
    ['{ "workers": 4 }', 'there is no option "workers". It is written lock: { workers: ... }.'],
    ['{ "lock": { "job-time": "3s" } }', "It is written lock: { jobTime: ... }."],
    ['{ "lock": { "out": "x" } }', "out stands at the top, beside the commands."],
    ['{ "config": "x" }', 'there is no option "config".'],
    ['{ "lokc": {} }', 'Did you mean "lock"?'],
    ['{ "lock": { "workers": [1, 2] } }', "lock.workers must be a text, a number, true or false"],
    ['{ "lock": { "workers": null } }', "lock.workers must be a text"],
    ['["lock"]', "it must be an object"],
    ["{ not json", "harness.config.json does not load:"],
  ])("%s is refused", async (text, message) => {
    write("harness.config.json", text);
    await expect(read()).rejects.toThrow(message);
    await expect(read()).rejects.toThrow(UsageError);
  });

  test("a module whose default export is null says what it must be", async () => {
    write("harness.config.mjs", "export default null;");
    await expect(read(folder, "harness.config.mjs")).rejects.toThrow(
      "it must be an object, such as { lock: { workers: 4 } }.",
    );
  });

  test("a file that throws says so", async () => {
    write("harness.config.ts", "throw new Error('no database');");
    await expect(read()).rejects.toThrow("harness.config.ts does not load: no database");
  });
});
