import { describe, expect, it } from "vitest";
import { noCharges } from "../../../../harness/supervisor/charges.ts";
import { type CleanupSystem, cleanUp } from "../../../../harness/supervisor/cleanup.ts";

/** A system of processes that only exist in a map, from process id to start time. */
function fakeSystem(running: Map<number, string>, overrides: Partial<CleanupSystem> = {}) {
  const calls: string[] = [];
  const system: CleanupSystem = {
    isAlive: ({ pid, startTime }) => running.get(pid) === startTime,
    markedProcesses: () => [],
    signal(pid, signal) {
      calls.push(`${signal} ${pid}`);
      if (signal === "SIGKILL") running.delete(pid);
    },
    run: async (command) => void calls.push(command.join(" ")),
    removeFolder: async (path) => {
      calls.push(`remove ${path}`);
      return true;
    },
    sleep: async () => {},
    ...overrides,
  };
  return { system, calls };
}

describe("cleanUp", () => {
  it("continues, then kills, then runs the commands, then removes the folders", async () => {
    const charges = noCharges();
    charges.processes.set(7, { pid: 7, startTime: "a" });
    charges.commands.set("", ["umount", "/tmp/x"]);
    charges.folders.add("/tmp/x");
    const { system, calls } = fakeSystem(new Map([[7, "a"]]));
    expect(await cleanUp(charges, system, 1)).toEqual({ killed: [7], removed: ["/tmp/x"], failed: [] });
    expect(calls).toEqual(["SIGCONT 7", "SIGKILL 7", "umount /tmp/x", "remove /tmp/x"]);
  });

  it("leaves alone a later process under the id of one in charge", async () => {
    const charges = noCharges();
    charges.processes.set(7, { pid: 7, startTime: "a" });
    const running = new Map([[7, "later"]]);
    const { system, calls } = fakeSystem(running);
    expect((await cleanUp(charges, system, 3)).killed).toEqual([]);
    expect(calls).toEqual([]);
    expect(running.has(7)).toBe(true);
  });

  it("finds a marked process that appears only at a later look", async () => {
    let looks = 0;
    const running = new Map<number, string>();
    const { system, calls } = fakeSystem(running, {
      markedProcesses() {
        looks++;
        if (looks === 2) running.set(9, "b");
        return running.has(9) ? [{ pid: 9, startTime: "b" }] : [];
      },
    });
    expect((await cleanUp(noCharges(), system, 3)).killed).toEqual([9]);
    expect(calls).toEqual(["SIGCONT 9", "SIGKILL 9"]);
    expect(looks).toBe(5);
  });

  it("says what it could not do, and does the rest", async () => {
    const charges = noCharges();
    charges.processes.set(7, { pid: 7, startTime: "a" });
    charges.commands.set("", ["false"]);
    charges.folders.add("/tmp/stuck").add("/tmp/gone").add("/tmp/there");
    const { system } = fakeSystem(new Map([[7, "a"]]), {
      signal: () => {},
      run: () => Promise.reject(new Error("exit code 1")),
      removeFolder: async (path) => {
        if (path === "/tmp/stuck") throw new Error("EBUSY");
        return path !== "/tmp/gone";
      },
    });
    expect(await cleanUp(charges, system, 1)).toEqual({
      killed: [],
      removed: ["/tmp/there"],
      failed: [
        "Process 7 could not be ended.",
        "false: exit code 1",
        "The folder /tmp/stuck could not be removed: EBUSY",
      ],
    });
  });
});
