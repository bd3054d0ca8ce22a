import { describe, expect, test } from "vitest";
import { emitTests } from "../../../../../harness/converge/replay/emit-test.ts";
import { parseReplayFile } from "../../../../../harness/converge/replay/replay-file.ts";

const counterexample = {
  crdt: { name: "mine", argument: "./mine.ts" },
  regions: 3,
  arguments: "any" as const,
  deep: true,
  all: false,
  seed: 1,
  index: 12,
  oracle: "LOST-UPDATE",
  expected: 'stock is "a\nb"',
  actual: "0",
  schedule: [0, 0, 0, 0, 0, 0, 0, 0],
};
const steps = ["fra adds 1 to stock", "fra restarts from what it saved"];

describe("an emitted test", () => {
  test("tells the steps and runs the counterexample again", () => {
    const text = emitTests([{ counterexample, steps }]);
    expect(text).toContain("// 2. fra restarts from what it saved\n");
    expect(text).toContain('// expected: stock is "a b"\n');
    expect(text).toContain('test("mine: no LOST-UPDATE in 2 steps", { timeout: 60_000 }, async () => {');
    const json = /replay\((\{.*?\n {2}\})\);/s.exec(text)?.[1];
    expect(parseReplayFile(json!, "x")).toEqual({ schema: "harness.counterexample/1", ...counterexample });
  });

  test("names a module of the user's from where the test lies", () => {
    const text = emitTests([{ counterexample, steps, module: "../mine.ts" }]);
    expect(text).toContain('"argument": fileURLToPath(new URL("../mine.ts", import.meta.url))');
    expect(text).toContain('import { fileURLToPath } from "node:url";');
  });
});
