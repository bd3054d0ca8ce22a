import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { identify, isAlive, parseProcStat, parsePs } from "../../../../harness/supervisor/process-identity.ts";

describe("parseProcStat", () => {
  const tail = "S 1 2 2 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 987654 1 2";

  it("finds state and start time behind a name with spaces and parentheses", () => {
    expect(parseProcStat(`42 (a) b (c) ${tail}`)).toEqual({ startTime: "987654", zombie: false });
  });

  it("knows a zombie", () => {
    expect(parseProcStat(`42 (node) ${tail.replace("S", "Z")}`)?.zombie).toBe(true);
  });

  it("gives nothing for half a line", () => {
    expect(parseProcStat("42 (node) S 1")).toBeUndefined();
  });
});

describe("parsePs", () => {
  it("splits state and start time", () => {
    expect(parsePs("Ss+  Mon Jan  5 10:11:12 2026\n")).toEqual({
      startTime: "Mon Jan  5 10:11:12 2026",
      zombie: false,
    });
  });

  it("knows a zombie, and no process at all", () => {
    expect(parsePs("Z+   Mon Jan  5 10:11:12 2026\n")?.zombie).toBe(true);
    expect(parsePs("")).toBeUndefined();
  });
});

// The way through `ps` is that of macOS and the BSDs; procps answers to the same options.
describe.each(["linux", "darwin"] as const)("identify, as on %s", (platform) => {
  it.runIf(process.platform === "linux" || process.platform === platform)("tells a life from the next", async () => {
    const child = spawn("sleep", ["60"]);
    const identity = identify(child.pid!, platform);
    expect(identity).toBeDefined();
    expect(isAlive(identity!, platform)).toBe(true);
    expect(isAlive({ pid: identity!.pid, startTime: "another time" }, platform)).toBe(false);

    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(identity!, platform)).toBe(false);
    expect(identify(child.pid!, platform)).toBeUndefined();
  });
});
