import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa, execaSync } from "execa";
import { describe, expect, onTestFinished, test } from "vitest";
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

/** A disk of its own, below the given folder; undefined where none can be mounted. */
async function smallDisk(folder: string, size: string): Promise<string | undefined> {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const mounted = await execa("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk], { reject: false });
  if (mounted.exitCode !== 0) return undefined;
  onTestFinished(() => void execaSync("umount", ["--lazy", disk], { reject: false }));
  return disk;
}

/** The process of a run, among others that may run beside it, whose command line matches. */
function processOf(harnessPid: number, program: RegExp): number {
  const found = readdirSync("/proc").find((name) => {
    try {
      const isOfRun = readFileSync(`/proc/${name}/environ`, "utf8").includes(`HOLDFAST_RUN_ID=lock-${harnessPid}-`);
      return isOfRun && program.test(readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " "));
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`no process of the run matches ${program}`);
  return Number(found);
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
    // How long it went on is known from what it wrote down.
    const told = await startHarness(["report", "--reporter", "terminal"], cwd);
    expect(told.stdout).toMatch(/seed 1, [\d.]+ s in all\./);
    // What was recorded can be judged and reported all the same.
    const checked = await startHarness(["check", "--write"], cwd);
    expect(checked.exitCode).toBe(130);
    expect(checked.stdout).toContain("INTERRUPTED");
    expect(readResult(latestRun(cwd)).durationMs).toBeGreaterThan(0);
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

  test.each([
    ["a Redis", /\/node-1\//, "The Redis server node:1 was ended from outside of the run (SIGKILL)."],
    ["the witness", /\/witness\//, "The Redis server witness was ended from outside of the run (SIGKILL)."],
    ["the proxy", /\/faults\/proxy\/[^ ]*entry\.js/, "The proxy between workers and servers was ended from outside"],
  ])("kill -9 of %s: said by its name, exit code 69, and nothing left", async (_what, program, said) => {
    const { harness, cwd, pid, ownFolder } = await startRun();
    process.kill(processOf(pid, program), "SIGKILL");
    const { exitCode, stderr } = await harness;
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("    at ");
    expect(exitCode).toBe(69);
    await until(gone(pid, ownFolder));
    const result = readResult(latestRun(cwd));
    expect(result.status).toBe("interrupted");
    expect(result.statusReason).toContain(said);
  });

  test("kill -9 of the supervisor: the orchestrator cleans up in its place, and says so", async () => {
    const { harness, cwd, pid, ownFolder } = await startRun();
    const supervisor = readdirSync("/proc").find(
      (name) =>
        existsSync(`/proc/${name}/cmdline`) &&
        /supervisor\/entry\.js\0lock-/.test(readFileSync(`/proc/${name}/cmdline`, "utf8")) &&
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes(`lock-${pid}-`),
    );
    process.kill(Number(supervisor), "SIGKILL");
    const { exitCode, stderr } = await harness;
    expect(stderr).toContain(
      "The supervisor of this run, the process that cleans up after it, was ended from outside (SIGKILL).",
    );
    expect(exitCode).toBe(69);
    await until(gone(pid, ownFolder));
    expect(readResult(latestRun(cwd)).statusReason).toContain("The supervisor of this run");
  });

  test("Ctrl-C while a server does not come up", async () => {
    const cwd = folderForTest();
    const sleeper = join(cwd, "redis-server");
    writeFileSync(
      sleeper,
      '#!/bin/sh\n[ "$1" = "--version" ] && echo "Redis server v=7.2.4 sha=0 malloc=libc bits=64 build=0" && exit\nexec sleep 60\n',
      { mode: 0o755 },
    );
    const harness = startHarness([...args, "--redis-bin", sleeper], cwd);
    await until(() => leftovers(harness.pid!).some((line) => line.includes("sleep")));
    harness.kill("SIGINT");
    expect((await harness).exitCode).toBe(130);
    await until(() => leftovers(harness.pid!).length === 0);
  });

  test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "a disk that fills up: 69, the path, and what was recorded",
    async () => {
      const cwd = folderForTest();
      const disk = await smallDisk(cwd, "2m");
      if (disk === undefined) return;
      const load = [
        "--rate",
        "30000",
        "--duration",
        "3s",
        "--rounds",
        "1",
        "--job-time",
        "constant(5ms)",
        "--faults",
        "none",
        "--no-control",
      ];
      const { exitCode, stderr } = await startHarness(["lock", "--out", disk, ...load], cwd);
      expect(stderr).toMatch(
        /disk\/.* could not be written: there is no space left \(ENOSPC\)\. Make room there, or name another folder with --out/,
      );
      expect(stderr).not.toContain("    at ");
      expect(exitCode).toBe(69);
      const [run] = readdirSync(disk).filter((name) => name.startsWith("lock-"));
      expect(readResult(join(disk, run!)).status).toBe("interrupted");
      expect(readdirSync(join(disk, run!)).filter((name) => name.startsWith("harness-error"))).toEqual([]);
    },
  );

  test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "a full disk under the results of every other command: 69 and the path",
    async () => {
      const cwd = folderForTest();
      const disk = await smallDisk(cwd, "16k");
      if (disk === undefined) return;
      const converge = ["converge", "--crdt", "row-lww", "--schedules", "20", "--seed", "7"];
      expect((await startHarness(converge, cwd)).exitCode).toBe(1);
      const stored = latestRun(cwd);
      for (const args of [
        converge,
        ["matrix", "--lock", "set-nx", "--scenario", "slow-job"],
        ["compare", stored, stored],
        ["bench", "clock"],
      ]) {
        const { exitCode, stderr } = await startHarness([...args, "--out", disk], cwd);
        expect(stderr, args[0]).toMatch(
          /disk\/\S+ could not be written: there is no space left \(ENOSPC\)\. Make room/,
        );
        expect(stderr, args[0]).not.toContain("    at ");
        expect(exitCode, args[0]).toBe(69);
      }
    },
  );
});
