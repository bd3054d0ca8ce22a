import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replay } from "../../../../../harness/cli/library/replay.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-replay-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A counter that takes what it receives for its own, or, mended, the greater. */
const type = (merge: string) => `
  const replica = (count) => ({
    apply({ amount }) { count += amount; },
    export: () => count,
    receive(theirs) { count = ${merge}; },
    value: () => ({ count }),
    save: () => count,
  });
  export const createAdapter = () => ({
    name: "mine", style: "immutable", fields: [{ name: "count", type: "counter", decrements: false }],
    encodings: [{ name: "state", kind: "full" }], create: () => replica(0), load: (saved) => replica(saved),
  });`;

// cai adds 1, fra sends 0 to cai, cai receives it.
const counterexample = {
  schema: "harness.counterexample/1" as const,
  crdt: { name: "mine", argument: "./mine.mjs" },
  ...{ regions: 2, arguments: "unit" as const, deep: false, all: false, seed: 1, index: 0 },
  ...{ oracle: "LOST-UPDATE", expected: "", actual: "" },
  schedule: [0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0],
};
const inline = { cwd: folder, threads: 0 } as const;

beforeAll(() => {
  writeFileSync(join(folder, "mine.mjs"), type("theirs"));
  writeFileSync(join(folder, "mended.mjs"), type("Math.max(count, theirs)"));
});

describe("replay", () => {
  test("gives the failure, by content, by path and by URL", async () => {
    const file = join(folder, "found.json");
    writeFileSync(file, JSON.stringify(counterexample));
    for (const given of [counterexample, "found.json", pathToFileURL(file)]) {
      const { failure } = await replay(given, inline);
      expect(failure).toMatchObject({ oracle: "LOST-UPDATE", expected: "count is 1", actual: "0" });
    }
  });

  test("gives nothing once the schedule passes", async () => {
    const mended = { ...counterexample, crdt: { name: "mine", argument: "./mended.mjs" } };
    expect(await replay(mended, inline)).toEqual({ failure: undefined });
  });

  test("refuses what is torn, not there, or of a type that is not there", async () => {
    writeFileSync(join(folder, "torn.json"), '{"schema": "harness.counter');
    await expect(replay("torn.json", inline)).rejects.toMatchObject({ exitCode: 64, code: "BAD_REPLAY" });
    await expect(replay("none.json", inline)).rejects.toMatchObject({ exitCode: 64, code: "NO_FILE" });
    const gone = { ...counterexample, crdt: { name: "gone", argument: "./gone.mjs" } };
    await expect(replay(gone, inline)).rejects.toMatchObject({ exitCode: 64 });
  });
});
