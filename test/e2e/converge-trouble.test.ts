import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConvergeFailure } from "../../harness/results/converge-schema.ts";

const bin = resolve("dist/harness/cli/bin.js");
const fixture = (name: string) => resolve("test/fixtures/converge", name);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-trouble-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const harness = (...args: string[]) => execa(process.execPath, [bin, ...args], { cwd: folder, reject: false });
const bad = (fault: string, ...args: string[]) =>
  harness("converge", "--crdt", `${fixture("bad-counter.mjs")}(fault=${fault})`, "--seed", "7", "--ops", "30", ...args);

async function failuresOf(run: ReturnType<typeof harness>): Promise<ConvergeFailure[]> {
  const { stdout, exitCode, stderr } = await run;
  expect(exitCode, stderr).toBe(1);
  return JSON.parse(stdout).crdts[0].failures;
}

test("the same seed gives the same counterexamples, byte for byte, on one thread and on two", async () => {
  const args = ["converge", "--crdt", "field-lww", "--schedules", "40", "--seed", "5", "--json"];
  const once = await failuresOf(harness(...args, "--threads", "1"));
  const again = await failuresOf(harness(...args, "--threads", "1"));
  const onTwo = await failuresOf(harness(...args, "--threads", "2"));
  expect(once.length).toBeGreaterThan(0);
  expect(JSON.stringify(again)).toBe(JSON.stringify(once));
  expect(JSON.stringify(onTwo)).toBe(JSON.stringify(once));
});

describe("a replica that misbehaves", () => {
  test("throws: the exception is the failure, in as few steps as it takes", async () => {
    const [failure] = await failuresOf(bad("throws", "--schedules", "50", "--json"));
    expect(failure).toMatchObject({ oracle: "CRASH", actual: "threw RangeError: the slot is full" });
    expect(failure!.eventsAfter).toBeLessThan(6);
  });

  test("hangs: the step deadline ends it, and the campaign goes on", async () => {
    const run = bad("hangs", "--schedules", "3", "--threads", "1", "--step-deadline", "300ms", "--json");
    const failures = await failuresOf(run);
    expect(failures.length).toBeGreaterThan(1);
    expect(failures[0]).toMatchObject({ oracle: "CRASH", actual: "it did not return within 300 ms" });
    expect(failures[0]!.steps.at(-1)!.text).toContain("did not return within 300 ms");
  });

  test("hangs in an exhaustive search: the schedule that hung is the failure, and lies in its file", async () => {
    const fault = `${fixture("bad-counter.mjs")}(fault=hangs, at=5)`;
    const args = ["--exhaustive", "--depth", "3", "--step-deadline", "200ms", "--threads", "2", "--json"];
    const { stdout, stderr, exitCode } = await harness("converge", "--crdt", fault, ...args);
    expect(exitCode, stderr).toBe(1);
    const { statusReason, crdts, warnings } = JSON.parse(stdout);
    expect(statusReason).toMatch(/: CRASH\. The search of .* did not come to its end/);
    const [{ failures, failed, exhaustive }] = crdts;
    expect(failures[0]).toMatchObject({ oracle: "CRASH", actual: "it did not return within 200 ms" });
    expect(failures[0].steps.at(-1).text).toBe("the final exchange did not return within 200 ms");
    expect(failures[0].steps.map(({ kind }: { kind: string }) => kind)).toContain("deliver");
    expect(failed.CRASH).toBeGreaterThanOrEqual(failures.length);
    expect(exhaustive.exhausted).toBe(false);
    expect(warnings.join()).toMatch(/\d schedules hung or ended their thread; the parts of the space after that/);
    const stored = join(folder, "harness-results/latest", failures[0].file);
    expect(JSON.parse(readFileSync(stored, "utf8")).schedule).toHaveLength(4 + 4 * failures[0].eventsAfter);
  });

  test("changes a message: it is found by the message's fingerprint", async () => {
    const failures = await failuresOf(bad("mutates", "--schedules", "20", "--oracles", "all", "--json"));
    expect(failures.map(({ oracle }) => oracle)).toContain("INPUT-MUTATED");
  });

  test("answers with what the contract does not know: it is told what the contract is", async () => {
    const [failure] = await failuresOf(bad("answers", "--schedules", "20", "--json"));
    expect(failure).toMatchObject({
      oracle: "CRASH",
      expected: "receive() returns undefined or the code of a refusal",
      actual: "{taken: true}",
    });
  });

  test.each([0, 1])("prints on stdout, on %i threads beside: stdout keeps the one document", async (threads) => {
    const { stdout, stderr, exitCode } = await bad("prints", "--schedules", "3", "--threads", `${threads}`, "--json");
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout).crdts[0].name).toBe("bad-counter");
    expect(stderr).toContain("a word of its own");
  });

  test("does not repeat itself: it is told so, and not shrunk to something else", async () => {
    const failures = await failuresOf(bad("drifts", "--schedules", "40", "--json"));
    expect(failures.some(({ actual }) => actual.includes("does not repeat itself"))).toBe(true);
  });

  test.runIf(existsSync("/dev/full"))(
    "a journal that cannot be written ends the campaign, and is no failure of the type",
    async () => {
      const run = await harness("converge", "--crdt", "pn-counter", "--schedules", "20", "--journal", "/dev/full");
      expect(run.stderr).toMatch(/^\/dev\/full could not be written: there is no space left \(ENOSPC\)\./m);
      expect(run.stderr).not.toContain("    at ");
      expect(run.exitCode).toBe(69);
    },
  );

  test("takes the whole process along: the journal tells the step that ran last", async () => {
    const journal = join(folder, "journal.ndjson");
    const { exitCode, signal } = await bad("aborts", "--schedules", "20", "--threads", "1", "--journal", journal);
    expect(signal ?? exitCode).not.toBe(0);
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1)!);
    const schedule = lines.map((line) => JSON.parse(line)).findLast((line) => "schedule" in line);
    expect(["deliver", "again", "the final exchange"]).toContain(last.kind);
    expect(schedule.index).toBeGreaterThanOrEqual(0);
    expect(last.event).toBeGreaterThanOrEqual(0);
  });
});

test("Ctrl-C keeps what was found", async () => {
  const child = harness("converge", "--crdt", "row-lww", "--time", "60s", "--seed", "7", "--json");
  let interrupted = false;
  for await (const line of child.iterable({ from: "stderr" })) {
    if (interrupted || !/[1-9]\d* violation/.test(line)) continue;
    child.kill("SIGINT");
    interrupted = true;
  }
  const { exitCode, stdout } = await child;
  expect(exitCode).toBe(130);
  const { status, statusReason, crdts } = JSON.parse(stdout);
  expect(status).toBe("failed");
  expect(statusReason).toContain("interrupted");
  expect(crdts[0].failures[0].steps.length).toBeGreaterThan(0);
});

test("a step that hangs without a deadline ends at the first Ctrl-C", async () => {
  const child = bad("hangs", "--schedules", "50", "--threads", "0", "--step-deadline", "300ms", "--json");
  const killed = setTimeout(() => child.kill("SIGKILL"), 20_000);
  for await (const line of child.iterable({ from: "stderr" })) {
    if (line.includes("it hangs")) child.kill("SIGINT");
  }
  const { exitCode, stdout, signal } = await child;
  clearTimeout(killed);
  expect(signal).toBeUndefined();
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ status: "interrupted", threads: 0 });
});

test("an exhaustive search that is far from its end stops at the first Ctrl-C, with what it has", async () => {
  const child = harness("converge", "--exhaustive", "--depth", "12", "--time", "10m", "--json");
  let interrupted = false;
  for await (const line of child.iterable({ from: "stderr" })) {
    if (interrupted || !line.includes("% of about")) continue;
    child.kill("SIGINT");
    interrupted = true;
  }
  const { exitCode, stdout } = await child;
  expect(exitCode).toBe(130);
  const { status, statusReason, crdts } = JSON.parse(stdout);
  expect(status).toBe("interrupted");
  expect(statusReason).toContain("the others are not covered");
  expect(crdts[0].exhaustive).toMatchObject({ exhausted: false });
  expect(crdts[0].schedules).toBeGreaterThan(0);
});

test("a run that fails in the middle leaves no thread behind: its process ends", async () => {
  const program = join(folder, "program.mjs");
  writeFileSync(
    program,
    `import { converge } from ${JSON.stringify(resolve("dist/harness/cli/library.js"))};
const options = { out: "/proc/nope", crdt: "pn-counter", schedules: 2, threads: 4 };
console.log(await converge(options).catch(({ name }) => name));`,
  );
  const { stdout, exitCode } = await execa(process.execPath, [program], { cwd: folder, timeout: 20_000 });
  expect(stdout).toMatch(/Error$/);
  expect(exitCode).toBe(0);
});

test.each([
  ["torn", (text: string) => text.slice(0, text.length / 2), "It may have been cut short"],
  ["of another version", (text: string) => text.replace("counterexample/1", "counterexample/9"), "of another version"],
  ["damaged", (text: string) => text.replace('"regions": 3', '"regions": 1'), "is damaged:\n  - regions"],
])("a counterexample that is %s is refused", async (_, spoil, message) => {
  await harness("converge", "--crdt", "row-lww", "--seed", "7", "--index", "0", "--out", "results");
  const [file] = JSON.parse(readFileSync(join(folder, "results/latest/result.json"), "utf8")).crdts[0].failures;
  const text = readFileSync(join(folder, "results/latest", file.file), "utf8");
  writeFileSync(join(folder, "spoilt.json"), spoil(text));
  const { stderr, exitCode } = await harness("replay", "spoilt.json");
  expect(stderr).toContain(message);
  expect(exitCode).toBe(64);
});

test("a depth that would take years is refused, with the number of schedules", async () => {
  const { stderr, exitCode } = await harness("converge", "--exhaustive", "--depth", "20");
  expect(stderr).toMatch(/A search to depth 20 would be about \d\.\de\+\d+ schedules with 3 regions: .* years/);
  expect(exitCode).toBe(64);
});

test("a type that is in no zoo, with a fault that only three replicas show", async () => {
  const type = relative(folder, fixture("sequence.ts"));
  const args = ["--schedules", "60", "--seed", "3", "--json"];
  const correct = await harness("converge", "--crdt", type, ...args);
  expect(JSON.parse(correct.stdout).status).toBe("passed");
  const failures = await failuresOf(harness("converge", "--crdt", `${type}(forgetsErased=true)`, ...args));
  expect(failures.map(({ oracle }) => oracle)).toContain("ORDER");
  expect(Math.min(...failures.map(({ eventsAfter }) => eventsAfter))).toBeLessThanOrEqual(8);
});

test("counterexamples as a test of one's own: it fails while the fault is there, and passes when it is mended", async () => {
  const type = (mended: boolean) =>
    `import { createAdapter as create } from ${JSON.stringify(fixture("bad-counter.mjs"))};\n` +
    `export const createAdapter = () => create({ fault: ${mended ? '"none"' : '"throws"'} });\n`;
  writeFileSync(join(folder, "mine.mjs"), type(false));
  const emitted = join(folder, "test/mine.test.mjs");
  const { exitCode, stderr } = await harness(
    ...["converge", "--crdt", "./mine.mjs", "--schedules", "50", "--seed", "7", "--emit-test", "test/mine.test.mjs"],
  );
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^\/.*mine\.test\.mjs: 1 test for vitest\.$/m);
  const text = readFileSync(emitted, "utf8");
  expect(text).toContain('fileURLToPath(new URL("../mine.mjs", import.meta.url))');
  const imports = {
    holdfast: resolve("dist/harness/cli/library.js"),
    vitest: resolve("node_modules/vitest/dist/index.js"),
  };
  writeFileSync(
    emitted,
    Object.entries(imports).reduce((now, [name, path]) => now.replace(`from "${name}"`, `from "${path}"`), text),
  );
  const vitest = () =>
    execa(process.execPath, [resolve("node_modules/vitest/vitest.mjs"), "run", "--root", folder], { reject: false });
  const broken = await vitest();
  expect(broken.stdout + broken.stderr).toContain("the slot is full");
  expect(broken.exitCode).toBe(1);
  writeFileSync(join(folder, "mine.mjs"), type(true));
  const passing = await vitest();
  expect(passing.exitCode, passing.stdout + passing.stderr).toBe(0);
});
