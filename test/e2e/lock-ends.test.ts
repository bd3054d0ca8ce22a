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
    // Of this run: others may run beside it.
    const server = readdirSync("/proc").find((name) => {
      try {
        const isOfRun = readFileSync(`/proc/${name}/environ`, "utf8").includes(`HOLDFAST_RUN_ID=lock-${pid}-`);
        return isOfRun && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("/node-1/");
      } catch {
        return false;
      }
    });
    process.kill(Number(server), "SIGKILL");
    const { exitCode, stderr } = await harness;
    expect(stderr).toContain("node:1");
    expect(exitCode).toBe(69);
    await until(gone(pid, ownFolder));
    expect(readResult(latestRun(cwd)).status).toBe("interrupted");
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
