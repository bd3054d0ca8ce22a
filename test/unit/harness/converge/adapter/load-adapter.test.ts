import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkAdapter } from "../../../../../harness/converge/adapter/check-adapter.ts";
import { loadAdapter } from "../../../../../harness/converge/adapter/load-adapter.ts";
import { documentAdapter } from "../../../../fixtures/converge/document.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-adapter-"));
afterAll(() => rmSync(folder, { recursive: true }));
const load = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return loadAdapter({ name: "mine", path });
};

describe("checkAdapter", () => {
  test("lets a good one through, as it is", () => {
    const adapter = documentAdapter();
    expect(checkAdapter(adapter, "x")).toBe(adapter);
  });

  test("lists everything that is wrong", () => {
    const wrong = { ...documentAdapter(), style: "fast", encodings: [], load: undefined };
    expect(() => checkAdapter(wrong, "mine.ts")).toThrow(
      /mine\.ts gives no CRDT adapter:\n {2}- style: .*\n {2}- encodings: needs at least one encoding\n {2}- load: must be a function/,
    );
  });

  test("refuses fields that have the same name, and an adapter with nothing to do", () => {
    const [field] = documentAdapter().fields;
    expect(() => checkAdapter({ ...documentAdapter(), fields: [field, field] }, "x")).toThrow(
      "two fields have the same name",
    );
    expect(() => checkAdapter({ ...documentAdapter(), fields: [] }, "x")).toThrow("nothing to do with it");
    expect(() => checkAdapter(undefined, "x")).toThrow("(it gave undefined)");
  });
});

describe("loadAdapter", () => {
  const body = `{ name: "mine", style: "immutable", fields: [{ name: "n", type: "counter" }],
    encodings: [{ name: "state", kind: "full" }], create: () => ({}), load: () => ({}) }`;

  test("takes ESM, CommonJS and TypeScript, by name or within the default export, sync or not", async () => {
    expect((await load("a.mjs", `export const createAdapter = async () => (${body})`)).name).toBe("mine");
    expect((await load("b.cjs", `exports.createAdapter = () => (${body})`)).name).toBe("mine");
    expect((await load("c.ts", `export default { createAdapter(options: object) { return ${body} } }`)).name).toBe(
      "mine",
    );
  });

  test("says which package is missing, and how to get it", async () => {
    const missing = load("d.mjs", 'import "not-installed-here"; export const createAdapter = () => {}');
    await expect(missing).rejects.toMatchObject({
      exitCode: 69,
      message: expect.stringContaining("npm install not-installed-here"),
    });
    const late = load("e.mjs", 'export const createAdapter = () => import("@scope/not-installed")');
    await expect(late).rejects.toMatchObject({
      exitCode: 69,
      message: expect.stringContaining("npm install @scope/not-installed"),
    });
    const told = load(
      "h.mjs",
      'export const createAdapter = () => { throw Object.assign(new Error("npm install it"), { code: "MISSING_PACKAGE" }) }',
    );
    await expect(told).rejects.toMatchObject({ exitCode: 69, message: "mine: npm install it" });
  });

  test("says what the module exports instead, and what it threw", async () => {
    await expect(load("f.mjs", "export const other = 1")).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringMatching(/must export a function `createAdapter`.*exports other/),
    });
    await expect(
      load("g.mjs", 'export const createAdapter = () => { throw new Error("no luck") }'),
    ).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringContaining("no luck"),
    });
  });

  test("refuses options that it does not take, where it says what it takes", async () => {
    const withOptions = (name: string, text: string, options: Record<string, unknown>) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return loadAdapter({ name: "mine", path, argument: "./mine.mjs", options });
    };
    const declared = `export const adapterOptions = { width: "bits" }; export const createAdapter = (options) => (${body})`;
    expect((await withOptions("takes-width.mjs", declared, { width: 3 })).name).toBe("mine");
    await expect(withOptions("takes-width.mjs", declared, { widht: 3 })).rejects.toMatchObject({
      exitCode: 64,
      message: './mine.mjs has no option "widht" (--crdt-args): it takes width. Did you mean "width"?',
    });
    for (const [at, head] of ["() =>", "async () =>", "function ()", "function createAdapter()"].entries()) {
      const text = `export const createAdapter = ${head} ${head.includes("=>") ? `(${body})` : `{ return ${body} }`}`;
      await expect(withOptions(`takes-none-${at}.mjs`, text, { nope: 1 }), head).rejects.toThrow(
        './mine.mjs has no option "nope" (--crdt-args): it takes none.',
      );
    }
    const silent = `export const createAdapter = ({ nope } = {}) => (${body})`;
    expect((await withOptions("takes-anything.mjs", silent, { nope: 1 })).name).toBe("mine");
  });
});
