import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { findPrivateCopy, makePrivateCopy } from "../../../../harness/redis/private-copy.ts";
import { fakeSystem } from "./fake-system.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "private-copy-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
});

/** A Debian whose server runs wherever it lies, while `works` says so. */
function debian(works: (server: string) => boolean = () => true) {
  const { system, calls } = fakeSystem({
    "/usr/bin/apt-cache": () =>
      ["redis-server", "redis-tools"]
        .map((name) => `${name}:\n  Installed: (none)\n  Candidate: 5:7.0.15-1\n`)
        .join(""),
    "/usr/bin/apt-get": (args, { cwd }) => {
      if (args.includes("download")) writeFileSync(join(cwd!, "redis-server_1_amd64.deb"), "");
      return "";
    },
    "/usr/bin/dpkg": (args) => {
      mkdirSync(join(args.at(-1)!, "usr/bin"), { recursive: true });
      writeFileSync(join(args.at(-1)!, "usr/bin/redis-server"), "");
      return "";
    },
    "/usr/bin/ldd": () => "",
  });
  const run = system.run;
  system.run = async (file, args, options) =>
    basename(file) === "redis-server" && args[0] === "--version"
      ? works(file) && existsSync(file)
        ? { exitCode: 0, stdout: "Redis server v=7.0.15 sha=0", stderr: "" }
        : { exitCode: 127, stdout: "", stderr: "error while loading shared libraries" }
      : run(file, args, options);
  return { system, calls };
}

const copies = () => readdirSync(join(cache, "redis"));

describe("a private copy", () => {
  it("is made once and found later, one per system release and architecture", async () => {
    const { system } = debian();
    expect(await findPrivateCopy({ system, cache })).toBeUndefined();
    const made = await makePrivateCopy({ system, cache });
    expect(made).toMatchObject({
      how: "private copy made now",
      version: "7.0.15",
      server: join(cache, "redis/debian-12-x64/root/usr/bin/redis-server"),
    });
    expect(await findPrivateCopy({ system, cache })).toEqual({ ...made, how: "private copy" });
    expect(copies()).toEqual(["debian-12-x64"]);
    expect(readdirSync(join(cache, "redis/debian-12-x64")).sort()).toEqual(["holdfast.json", "root"]);
    expect(await findPrivateCopy({ system: { ...system, architecture: "arm64" }, cache })).toBeUndefined();
  });

  it("leaves nothing behind when its server does not run", async () => {
    const { system } = debian(() => false);
    await expect(makePrivateCopy({ system, cache })).rejects.toThrow("error while loading shared libraries");
    expect(copies()).toEqual([]);
  });

  it("is not found when it no longer works, and is replaced", async () => {
    await makePrivateCopy({ system: debian().system, cache });
    const copy = join(cache, "redis/debian-12-x64");
    writeFileSync(join(copy, "old"), "");
    const { system } = debian((server) => !server.startsWith(`${copy}/`) || !existsSync(join(copy, "old")));
    expect(await findPrivateCopy({ system, cache })).toBeUndefined();
    await makePrivateCopy({ system, cache });
    expect(existsSync(join(copy, "old"))).toBe(false);
    expect(copies()).toEqual(["debian-12-x64"]);
  });

  it("may be made by several harnesses at once: all get a whole one", async () => {
    const { system } = debian();
    const made = await Promise.all([1, 2, 3].map(() => makePrivateCopy({ system, cache })));
    expect(new Set(made.map(({ server }) => server)).size).toBe(1);
    expect(copies()).toEqual(["debian-12-x64"]);
  });

  it("clears away what a killed harness left half made, and only that", async () => {
    const { system } = debian();
    const abandoned = join(cache, "redis", "debian-12-x64.making-999999999-aa");
    const busy = join(cache, "redis", `debian-12-x64.making-${process.ppid}-bb`);
    for (const folder of [abandoned, busy]) mkdirSync(folder, { recursive: true });
    await makePrivateCopy({ system, cache });
    expect(copies().sort()).toEqual(["debian-12-x64", basename(busy)]);
  });

  it("is in the supervisor's charge while it is made", async () => {
    const { system } = debian();
    const charges = new Set<string>();
    const seen: string[] = [];
    const supervisor = {
      ownFolder: (path: string) => {
        seen.push(path);
        charges.add(path);
      },
      disownFolder: (path: string) => charges.delete(path),
    };
    await makePrivateCopy({ system, cache, supervisor });
    expect(seen).toHaveLength(1);
    expect(charges.size).toBe(0);
  });
});
