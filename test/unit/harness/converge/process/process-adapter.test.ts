import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { processAdapter } from "../../../../../harness/converge/process/process-adapter.ts";
import { runConverge } from "../../../../../harness/converge/run-converge.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../../fixtures/converge/process/${name}`, import.meta.url));
const node = (script: string) => processAdapter({ command: [process.execPath, "-e", script] });

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

describe.runIf(hasPython())("replicas in Python", () => {
  const ref = (options: Record<string, unknown>) => ({
    name: "python-counter",
    path: fixture("python-counter.ts"),
    options,
  });
  const options = { seed: 1, threads: 0, ops: 20 };

  test("run like any other", async () => {
    const { status, crdts } = await runConverge({ ...options, crdts: [ref({})], schedules: 40 });
    expect(crdts[0]!.failures).toEqual([]);
    expect(status).toBe("passed");
    expect(crdts[0]!.schedules).toBe(40);
  });

  test("are found out like any other", async () => {
    const { crdts } = await runConverge({ ...options, crdts: [ref({ mistake: true })], schedules: 40 });
    expect(Object.keys(crdts[0]!.failed)).toContain("DOUBLE-COUNT");
    const failure = crdts[0]!.failures.find(({ oracle }) => oracle === "DOUBLE-COUNT")!;
    expect(failure.eventsAfter).toBeLessThanOrEqual(4);
  });
});

const answers = (results: string) =>
  `require("readline").createInterface({ input: process.stdin }).on("line", (line) => console.log(JSON.stringify(JSON.parse(line).map(([name]) => (${results})))))`;

describe("a process", () => {
  test("that does not exist, or ends at once, is told by its command", () => {
    expect(() => processAdapter({ command: ["no-such-program-here"] })).toThrow(
      /\(no-such-program-here\) could not be started/,
    );
    expect(() => node("process.exit(3)")).toThrow(/ended$/);
  });

  test("that says nothing of itself, or no JSON, is refused with its words", () => {
    expect(() => node(answers("({})"))).toThrow(/does not say what it is: name/);
    expect(() => node('process.stdin.once("data", () => console.log("hello?"))')).toThrow(
      /answered hello\?, which is not an array of 1 results/,
    );
  });

  test("that answers with an error throws it", () => {
    const hello = '{ name: "x", fields: [{ name: "n", type: "counter" }], encodings: [{ name: "s", kind: "full" }] }';
    const adapter = node(answers(`name === "hello" ? ${hello} : { error: "ValueError: no luck" }`));
    expect(adapter.name).toBe("x");
    expect(() => adapter.create({ number: 1, clock: { now: () => 0 } } as never)).toThrow("ValueError: no luck");
  });
});
