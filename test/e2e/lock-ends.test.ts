import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readResult } from "../../harness/results/store.ts";
import { folderForTest, latestRun, leftovers, startHarness, until } from "./run-harness.ts";

const args = ["lock", "--duration", "12s", "--seed", "1"];
const temporaryFolders = () => readdirSync(tmpdir()).filter((name) => /^holdfast-[A-Za-z0-9]{6}$/.test(name));

/** Starts the article's run and waits until its workers have recorded something. */
async function startRun() {
  const cwd = folderForTest();
  const before = temporaryFolders();
  const harness = startHarness(args, cwd);
  const journals = join(latestRun(cwd), "journals");
  await until(
    () =>
      existsSync(journals) && readdirSync(journals).some((name) => readFileSync(join(journals, name)).length > 5_000),
  );
  const ownFolder = temporaryFolders().find((name) => !before.includes(name));
  return { harness, cwd, pid: harness.pid!, ownFolder: join(tmpdir(), ownFolder!) };
}

const gone = (pid: number, folder: string) => () => leftovers(pid).length === 0 && !existsSync(folder);

describe("however a run ends, nothing of it is left, and what was recorded can be read", () => {
  test("kill -9 of the orchestrator", async () => {
    const { harness, cwd, pid, ownFolder } = await startRun();
    expect(leftovers(pid).length).toBeGreaterThan(4);
    process.kill(pid, "SIGKILL");
    await harness;
    await until(gone(pid, ownFolder));
    expect(readResult(latestRun(cwd)).status).toBe("interrupted");
    // What was recorded can be judged and reported all the same.
    const checked = await startHarness(["check", "--write"], cwd);
    expect(checked.exitCode).toBe(130);
    expect(checked.stdout).toContain("INTERRUPTED");
    const reported = await startHarness(["report", "--reporter", "html,markdown,junit"], cwd);
    expect(reported.exitCode).toBe(0);
    expect(reported.stderr).toMatch(/^Wrote .*report\.html\nWrote .*report\.md\nWrote .*junit\.xml$/);
    expect(readdirSync(latestRun(cwd))).toEqual(expect.arrayContaining(["junit.xml", "report.html", "report.md"]));
    expect(readFileSync(join(latestRun(cwd), "report.html"), "utf8")).toContain("is-interrupted");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s: the result is saved as interrupted, exit code %i", async (signal, code) => {
    const { harness, cwd, pid, ownFolder } = await startRun();
    process.kill(pid, signal);
    const { exitCode } = await harness;
    expect(exitCode).toBe(code);
    await until(gone(pid, ownFolder));
    const result = readResult(latestRun(cwd));
    expect(result.status).toBe("interrupted");
    expect(existsSync(join(latestRun(cwd), "history.ndjson"))).toBe(true);
    expect(existsSync(join(latestRun(cwd), "report.html"))).toBe(true);
  });

  test("a second Ctrl-C ends it at once", async () => {
    const { harness, pid, ownFolder } = await startRun();
    process.kill(pid, "SIGINT");
    process.kill(pid, "SIGINT");
    const { exitCode } = await harness;
    expect(exitCode).toBe(130);
    await until(gone(pid, ownFolder));
  });

  test("a Redis that dies unplanned: said with its last words, exit code 69", async () => {
    const { harness, cwd, pid, ownFolder } = await startRun();
    const server = readdirSync("/proc").find(
      (name) =>
        /^\d+$/.test(name) &&
        existsSync(`/proc/${name}/cmdline`) &&
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes(join(ownFolder, "node")),
    );
    process.kill(Number(server), "SIGKILL");
    const { exitCode, stderr } = await harness;
    expect(stderr).toContain("node:1");
    expect(exitCode).toBe(69);
    await until(gone(pid, ownFolder));
    expect(readResult(latestRun(cwd)).status).toBe("interrupted");
  });
});
