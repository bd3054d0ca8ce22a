import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommandIo } from "../../../../harness/cli/io.ts";
import { loadReporters, type NamedReporter, runReporters, tellBegin } from "../../../../harness/cli/reporters.ts";
import { lockResult } from "../../../fixtures/results/lock-result.ts";

let folder: string;
let interruption: AbortController;
beforeEach(() => {
  interruption = new AbortController();
  folder = mkdtempSync(join(tmpdir(), "holdfast-reporters-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fakeIo() {
  const out = { stdout: "", stderr: "" };
  const io = {
    stdout: (text: string) => {
      out.stdout += text;
    },
    stderr: (text: string) => {
      out.stderr += text;
    },
    ...{
      environment: {},
      cwd: folder,
      colour: { stdout: false, stderr: false },
      width: 100,
      signal: interruption.signal,
    },
  } as unknown as CommandIo;
  return { io, out };
}

const run = async (reporters: readonly NamedReporter[], json = false) => {
  const { io, out } = fakeIo();
  await runReporters(lockResult(), { reporters, folder, json, io });
  return out;
};

test("built-in reporters write their files and print", async () => {
  const out = await run(await loadReporters(["terminal", "html", "markdown"], folder));
  expect(readdirSync(folder).sort()).toEqual(["report.html", "report.md"]);
  expect(out.stdout).toContain("set-nx");
  // The page's place stands at the end of the terminal's report.
  expect(out.stderr).toBe("Wrote report.md\n");
});

test("with --json the result is the one document on stdout", async () => {
  const out = await run(await loadReporters(["terminal", "html", "github"], folder), true);
  expect(JSON.parse(out.stdout).kind).toBe("lock");
  expect(readdirSync(folder)).toEqual(["report.html"]);
});

test("a user's reporter is one like any other", async () => {
  writeFileSync(
    join(folder, "mine.mjs"),
    "export default { onResult: (result) => ({ stdout: 'mine: ' + result.status, files: { 'mine.txt': 'x' } }) };",
  );
  const out = await run(await loadReporters(["./mine.mjs"], folder));
  expect(out.stdout).toBe("mine: passed\n");
  expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("x");
});

test("reporters that want to are told when a run begins, and none is waited for", async () => {
  writeFileSync(
    join(folder, "mine.mjs"),
    "export default { onBegin: async ({ kind, id, seed }) => ({ stdout: [kind, id, seed].join(' '), files: { begun: id } }) };",
  );
  const mine = await loadReporters(["./mine.mjs", "terminal"], folder);
  const broken: NamedReporter = { name: "broken", reporter: { onBegin: () => Promise.reject(new Error("no line")) } };
  const never: NamedReporter = { name: "never", reporter: { onBegin: () => new Promise(() => {}) } };
  const { io, out } = fakeIo();
  const begin = { kind: "lock", id: "lock-1", seed: 7, argv: ["lock"] } as const;
  tellBegin(begin, { reporters: [never, broken, ...mine], folder, json: false, io });
  await vi.waitFor(() => expect(out.stdout).toBe("lock lock-1 7\n"));
  expect(readFileSync(join(folder, "begun"), "utf8")).toBe("lock-1");
  expect(out.stderr).toBe("The reporter broken failed at the begin: no line.\n");
});

test("a reporter that fails is said, and the others go on", async () => {
  const broken: NamedReporter = {
    name: "broken",
    reporter: {
      onResult() {
        throw new Error("no ink");
      },
    },
  };
  const outside: NamedReporter = { name: "outside", reporter: { onResult: () => ({ files: { "../elsewhere": "" } }) } };
  const fine: NamedReporter = { name: "fine", reporter: { onResult: async () => ({ stdout: "fine" }) } };
  const out = await run([broken, outside, fine]);
  expect(out.stdout).toBe("fine\n");
  expect(out.stderr).toContain("The report broken could not be made: no ink. The result itself is stored.");
  expect(out.stderr).toContain('"../elsewhere" is no plain file name');
});

test.each([
  ["termnal", 'there is no such reporter. Did you mean "terminal"?'],
  ["./nowhere.mjs", "there is no such file"],
  ["./empty.mjs", "it must export"],
  ["./broken.mjs", "no paper"],
])("%s is refused", async (name, message) => {
  writeFileSync(join(folder, "empty.mjs"), "export {};");
  writeFileSync(join(folder, "broken.mjs"), "throw new Error('no paper');");
  await expect(loadReporters([name], folder)).rejects.toThrow(message);
});

test("interrupted while the reports are made: the run itself was complete", async () => {
  const onResult = () => {
    interruption.abort();
    return {};
  };
  const slow: NamedReporter = { name: "slow", reporter: { onResult } };
  expect((await run([slow])).stderr).toContain("The run was complete and is stored");
});
