import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Apt } from "../../../../harness/redis/apt.ts";
import { fetchPrograms } from "../../../../harness/redis/fetch-programs.ts";
import { fakeSystem } from "./fake-system.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fetch-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const done = { exitCode: 0, stdout: "", stderr: "" };

/** A repository of packages; `needs` are the libraries that ldd misses until their package is there. */
function repository(options: {
  packages: Record<string, string>;
  dependencies?: string[];
  needs?: Record<string, string>;
  listsFrom?: "the start" | "an update";
  failingDownloads?: number;
}) {
  const { packages, dependencies = [], needs = {}, failingDownloads = 0 } = options;
  let hasLists = options.listsFrom !== "an update";
  let failures = failingDownloads;
  const steps: string[] = [];
  const unpacked = new Set<string>();
  const apt: Apt = {
    async candidates(names) {
      return new Map(Object.entries(packages).filter(([name]) => hasLists && names.includes(name)));
    },
    dependencies: async () => new Set(dependencies),
    async download(names, into) {
      steps.push(`download ${names.join(" ")}`);
      if (failures-- > 0) return { exitCode: 100, stdout: "", stderr: "E: Failed to fetch it  404  Not Found\n" };
      for (const name of names) writeFileSync(join(into, `${name}_1_amd64.deb`), "");
      return done;
    },
    async unpack(file, into) {
      const name = basename(file).split("_")[0]!;
      unpacked.add(name);
      if (name.startsWith("lib")) {
        mkdirSync(join(into, "usr/lib/x"), { recursive: true });
        writeFileSync(join(into, "usr/lib/x", `${name}.so.1`), "");
      }
      mkdirSync(into, { recursive: true });
      return done;
    },
    async updatePrivately() {
      steps.push("update");
      hasLists = true;
      return done;
    },
  };
  const { system } = fakeSystem({
    "/usr/bin/ldd": () =>
      Object.entries(needs)
        .filter(([, name]) => !unpacked.has(name))
        .map(([library]) => `\t${library} => not found\n`)
        .join(""),
  });
  return { apt, system, steps };
}

const REDIS = { "redis-server": "5:7.0.15-1", "redis-tools": "5:7.0.15-1" };

describe("fetchPrograms", () => {
  it("fetches the programs, then the libraries that ldd misses, until none is missing", async () => {
    const { apt, system, steps } = repository({
      packages: REDIS,
      dependencies: ["adduser", "libjemalloc2", "liblua5.1-0"],
      needs: { "libjemalloc.so.2": "libjemalloc2", "liblua5.1.so.0": "liblua5.1-0" },
    });
    expect(await fetchPrograms(system, apt, folder)).toEqual({
      server: "root/usr/bin/redis-server",
      libraries: ["root/usr/lib/x"],
      packages: ["redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0"],
    });
    expect(steps).toEqual(["download redis-server redis-tools", "download libjemalloc2 liblua5.1-0"]);
  });

  it("fetches lists of its own where the system has none, and says so", async () => {
    const { apt, system, steps } = repository({ packages: REDIS, listsFrom: "an update" });
    const lines: string[] = [];
    await fetchPrograms(system, apt, folder, (line) => lines.push(line));
    expect(steps).toEqual(["update", "download redis-server redis-tools"]);
    expect(lines).toEqual(["This machine has no package lists yet: fetching some of our own"]);
  });

  it("fetches lists of its own when the system's name files that are gone", async () => {
    const { apt, system, steps } = repository({ packages: REDIS, failingDownloads: 1 });
    await fetchPrograms(system, apt, folder);
    expect(steps).toEqual(["download redis-server redis-tools", "update", "download redis-server redis-tools"]);
  });

  it("repeats apt's own words when a download fails for good", async () => {
    const { apt, system } = repository({ packages: REDIS, failingDownloads: 2 });
    await expect(fetchPrograms(system, apt, folder)).rejects.toThrow(
      "apt-get download redis-server redis-tools ended with exit code 100: E: Failed to fetch it  404  Not Found",
    );
  });

  it("takes valkey where redis is too old or absent", async () => {
    const packages = {
      "redis-server": "5:6.0.16-1",
      "redis-tools": "5:6.0.16-1",
      "valkey-server": "8.1.1",
      "valkey-tools": "8.1.1",
    };
    const { apt, system } = repository({ packages });
    expect((await fetchPrograms(system, apt, folder)).server).toBe("root/usr/bin/valkey-server");
  });

  it("says which version there is when all are too old", async () => {
    const { apt, system, steps } = repository({
      packages: { "redis-server": "5:6.0.16-1", "redis-tools": "5:6.0.16-1" },
    });
    await expect(fetchPrograms(system, apt, folder)).rejects.toThrow(
      /redis-server 6\.0\.16; 6\.2\.0 or later is needed/,
    );
    expect(steps).toEqual([]);
  });

  it("tries every library that the programs depend on when the name gives nothing away", async () => {
    const { apt, system } = repository({
      packages: REDIS,
      dependencies: ["adduser", "libodd-name9"],
      needs: { "libstrange.so.4": "libodd-name9" },
    });
    expect((await fetchPrograms(system, apt, folder)).packages).toContain("libodd-name9");
  });

  it("gives up when a library is nowhere to be had", async () => {
    const { apt, system } = repository({ packages: REDIS, needs: { "libgone.so.1": "libgone1" } });
    await expect(fetchPrograms(system, apt, folder)).rejects.toThrow("no package was found for libgone.so.1");
  });
});
