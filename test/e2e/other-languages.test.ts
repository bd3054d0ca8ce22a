import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A user's folder with the files of docs/other-languages.md, as they stand there. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-languages-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules", "holdfast"));
  const text = readFileSync("docs/other-languages.md", "utf8");
  for (const [, block, name] of text.matchAll(/```\w+\n((?:#|\/\/) (\S+)\n[\s\S]*?)```/g)) {
    writeFileSync(join(folder, name!), block!);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const converge = (crdt: string, ...args: string[]) =>
  execa(process.execPath, [resolve("dist/harness/cli/bin.js"), "converge", "--crdt", crdt, "--ops", "20", ...args], {
    cwd: folder,
    reject: false,
  });

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.runIf(hasPython())("the example in Python", () => {
  test("passes, on two threads", async () => {
    const { stdout, exitCode } = await converge("./counter.mjs", "--schedules", "60", "--threads", "2", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).crdts[0]).toMatchObject({ schedules: 60, failed: {} });
  });

  test("with its mistake fails by DOUBLE-COUNT in a handful of steps", async () => {
    const { stdout, exitCode } = await converge(
      "./counter.mjs(mistake=true)",
      "--schedules",
      "60",
      "--seed",
      "1",
      "--json",
    );
    expect(exitCode).toBe(1);
    const [crdt] = JSON.parse(stdout).crdts;
    const failure = crdt.failures.find(({ oracle }: { oracle: string }) => oracle === "DOUBLE-COUNT");
    expect(failure.eventsAfter).toBeLessThanOrEqual(6);
  });
});
