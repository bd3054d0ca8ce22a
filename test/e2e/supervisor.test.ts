import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { RUN_ID_VARIABLE } from "../../harness/supervisor/marked.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { startSupervisor } from "../../harness/supervisor/parent.ts";
import { identify } from "../../harness/supervisor/process-identity.ts";
import { spawnOwned } from "../../harness/supervisor/spawn-owned.ts";

const fixture = join(import.meta.dirname, "../fixtures/supervisor/orchestrator.ts");

interface Told {
  pids: { supervisor: number; stopped: number; deaf: number; grandchild: number };
  folder: string;
  undone: string;
  report?: { killed: number[]; removed: string[]; failed: string[] };
}

const leftovers: string[] = [];
afterEach(() => {
  for (const path of leftovers.splice(0)) rmSync(path, { force: true });
});

function newRunId(): string {
  return `test-${randomBytes(4).toString("hex")}`;
}

function orchestrator(mode: "own" | "close"): ChildProcessByStdio<Writable, Readable, null> {
  const args = ["--import", "jiti/register", fixture, newRunId(), mode];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
}

async function whatItTells(child: { stdout: Readable }): Promise<Told> {
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const told = JSON.parse(line) as Told;
  leftovers.push(told.undone, `${told.folder}-late`);
  return told;
}

async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function gone(pid: number): boolean {
  return identify(pid) === undefined;
}

describe("the supervisor", () => {
  it("ends every child and removes every folder after a SIGKILL of the orchestrator", async () => {
    const child = orchestrator("own");
    const { pids, folder, undone } = await whatItTells(child);
    expect(Object.values(pids).filter(gone)).toEqual([]);
    expect(existsSync(folder)).toBe(true);

    child.kill("SIGKILL");
    await until(() => Object.values(pids).every(gone));
    await until(() => !existsSync(folder));
    expect(existsSync(undone)).toBe(true);
  });

  it.runIf(process.platform === "linux")(
    "ends a child spawned in the tick of the kill, and never registered",
    async () => {
      const child = orchestrator("own");
      const { pids, folder } = await whatItTells(child);
      child.stdin.write("now\n");
      await until(() => gone(pids.supervisor));
      const late = Number(readFileSync(`${folder}-late`, "utf8"));
      expect(late).toBeGreaterThan(1);
      expect(gone(late)).toBe(true);
    },
  );

  it("does not mind signals: only the end of the pipe counts", async () => {
    const child = orchestrator("own");
    const { pids } = await whatItTells(child);
    for (const signal of ["SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT"] as const) process.kill(pids.supervisor, signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(Object.values(pids).filter(gone)).toEqual([]);
    child.kill("SIGTERM");
    await until(() => Object.values(pids).every(gone));
  });

  it("cleans up at the orderly end, and says what was left to clean", async () => {
    const child = orchestrator("close");
    const { pids, folder, report } = await whatItTells(child);
    expect(report?.killed).toEqual(expect.arrayContaining([pids.stopped, pids.deaf]));
    expect(report?.removed).toEqual([folder]);
    expect(report?.failed).toEqual([]);
    expect(Object.values(pids).filter((pid) => !gone(pid))).toEqual([]);
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
  });

  it("has nothing to do when all was given back, and may be closed twice", async () => {
    const supervisor = await startSupervisor({ runId: newRunId() });
    const child = spawnOwned(supervisor, "true", [], { stdio: "ignore" });
    await until(() => child.exitCode !== null);
    expect(await supervisor.close()).toEqual({ killed: [], removed: [], failed: [] });
    expect(await supervisor.close()).toEqual({ killed: [], removed: [], failed: [] });
    expect(gone(supervisor.pid)).toBe(true);
  });

  it("spares a process that was disowned, and one of another run", async () => {
    const supervisor = await startSupervisor({ runId: newRunId() });
    const other = { env: { ...process.env, [RUN_ID_VARIABLE]: `${supervisor.runId}-other` } };
    const spared = [spawn("sleep", ["60"], other), spawn("sleep", ["60"])];
    try {
      for (const { pid } of spared) supervisor.own(pid!);
      for (const { pid } of spared) supervisor.disown(pid!);
      expect((await supervisor.close()).killed).toEqual([]);
      expect(spared.filter(({ pid }) => gone(pid!))).toEqual([]);
    } finally {
      for (const child of spared) child.kill("SIGKILL");
    }
  });

  it("is missed when it ends by itself", async () => {
    const supervisor = await startSupervisor({ runId: newRunId() });
    process.kill(supervisor.pid, "SIGKILL");
    expect((await supervisor.lost).message).toMatch(/was ended from outside \(SIGKILL\)/);
    // The orchestrator takes its place.
    const child = spawnOwned(supervisor, "sleep", ["60"], { stdio: "ignore" });
    const folder = makeOwnedFolder(supervisor);
    const report = await supervisor.close();
    expect(report).toMatchObject({ killed: [child.pid], removed: [folder], failed: [] });
    expect(existsSync(folder)).toBe(false);
  });

  it("says why it could not be started", async () => {
    const entry = join(import.meta.dirname, "../fixtures/supervisor/exits-with-3.mjs");
    await expect(startSupervisor({ runId: "x", entry })).rejects.toThrow("did not start: exit code 3");
  });
});
