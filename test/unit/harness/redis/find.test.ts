import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { UnavailableError, UsageError } from "../../../../harness/errors.ts";
import { findRedis } from "../../../../harness/redis/find.ts";
import { fakeSystem, redisServer } from "./fake-system.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "find-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
});

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.fail("it was found"),
    (error) => error,
  );
}

describe("--runtime docker", () => {
  const programs = {
    "/usr/bin/redis-server": redisServer("7.0.15"),
    "/usr/bin/docker": (args: readonly string[]) => (args[0] === "version" ? "28.0.1" : redisServer("7.2.4")()),
  };

  it("takes a container though there is a server on PATH", async () => {
    const { system } = fakeSystem(programs);
    expect(await findRedis({ runtime: "docker", system, cache })).toMatchObject({ how: "container", version: "7.2.4" });
    expect((await findRedis({ runtime: "process", system, cache })).how).toBe("path");
  });

  it("says what is missing, and takes nothing else", async () => {
    const { system } = fakeSystem({ "/usr/bin/redis-server": redisServer("7.0.15") });
    const error = await failure(findRedis({ runtime: "docker", system, cache }));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error.message).toMatch(/--runtime docker: no container engine .* Install Docker or Podman/);
  });
});

describe("a Redis that was named", () => {
  it("is taken by its path or by its folder, with the tools beside it", async () => {
    const { system } = fakeSystem({
      "/opt/r/redis-server": redisServer("7.2.1"),
      "/opt/r/redis-cli": () => "",
      "/usr/bin/redis-server": redisServer("7.0.15"),
      "/usr/bin/redis-benchmark": () => "",
    });
    const expected = { how: "flag", version: "7.2.1", flavour: "redis", server: "/opt/r/redis-server", env: {} };
    for (const redisBin of ["/opt/r/redis-server", "/opt/r"]) {
      expect(await findRedis({ redisBin, system, cache })).toEqual({
        ...expected,
        cli: "/opt/r/redis-cli",
        benchmark: "/usr/bin/redis-benchmark",
      });
    }
  });

  it("may come from HARNESS_REDIS_BIN, whoever resolved the variable", async () => {
    const programs = { "/opt/r/redis-server": redisServer("7.2.1") };
    const { system } = fakeSystem(programs, { env: { PATH: "/usr/bin", HARNESS_REDIS_BIN: "/opt/r" } });
    expect((await findRedis({ system, cache })).how).toBe("environment");
    expect((await findRedis({ redisBin: "/opt/r", system, cache })).how).toBe("environment");
    expect((await findRedis({ redisBin: "/opt/r/redis-server", system, cache })).how).toBe("flag");
  });

  it("is refused when it is too old, is something else, or is not there, though PATH has a good one", async () => {
    const { system } = fakeSystem({
      "/opt/old/redis-server": redisServer("6.0.16"),
      "/opt/odd/redis-server": () => ({ exitCode: 3, stderr: "no idea\n" }),
      "/opt/empty/notes": () => "",
      "/usr/bin/redis-server": redisServer("7.0.15"),
    });
    const old = await failure(findRedis({ redisBin: "/opt/old", system, cache }));
    expect(old).toBeInstanceOf(UnavailableError);
    expect(old.message).toContain("/opt/old/redis-server is version 6.0.16; 6.2.0 or later is needed");

    const odd = await failure(findRedis({ redisBin: "/opt/odd", system, cache }));
    expect(odd).toBeInstanceOf(UsageError);
    expect(odd.message).toContain("does not answer like a Redis server (exit code 3: no idea)");

    for (const redisBin of ["/opt/empty", "/opt/nothing"]) {
      const gone = await failure(findRedis({ redisBin, system, cache }));
      expect(gone).toBeInstanceOf(UsageError);
      expect(gone.message).toContain(`--redis-bin ${redisBin}`);
    }
  });
});

describe("a Redis that was not named", () => {
  it("is that on PATH, redis before valkey", async () => {
    const valkey = () => "Valkey server v=8.1.1 sha=0";
    const both = { "/usr/local/bin/valkey-server": valkey, "/usr/bin/redis-server": redisServer("7.0.15") };
    expect(await findRedis({ system: fakeSystem(both).system, cache })).toMatchObject({
      how: "path",
      server: "/usr/bin/redis-server",
    });
    const one = { "/usr/local/bin/valkey-server": valkey, "/usr/local/bin/valkey-cli": () => "" };
    expect(await findRedis({ system: fakeSystem(one).system, cache })).toMatchObject({
      flavour: "valkey",
      version: "8.1.1",
      cli: "/usr/local/bin/valkey-cli",
    });
  });

  it("passes over one on PATH that is too old", async () => {
    const { system } = fakeSystem({
      "/usr/bin/redis-server": redisServer("6.0.16"),
      "/usr/bin/valkey-server": () => "Valkey server v=8.1.1 sha=0",
    });
    expect((await findRedis({ system, cache })).server).toBe("/usr/bin/valkey-server");
  });

  it("is a container when there is nothing else", async () => {
    const { system } = fakeSystem({
      "/usr/bin/docker": (args) => (args[0] === "version" ? "28.0.1" : redisServer("7.2.5")()),
    });
    expect(await findRedis({ system, cache })).toMatchObject({ how: "container", version: "7.2.5" });
  });

  it("is told how to be got when there is none: what was tried, and a line for every system", async () => {
    const { system } = fakeSystem({
      "/usr/bin/redis-server": redisServer("6.0.16"),
      "/usr/bin/docker": () => ({ exitCode: 1 }),
    });
    const error = await failure(findRedis({ system, cache }));
    expect(error).toBeInstanceOf(UnavailableError);
    expect((error as UnavailableError).exitCode).toBe(69);
    for (const part of [
      "6.2.0 or later is needed",
      "/usr/bin/redis-server is version 6.0.16, too old",
      "docker does not answer",
      "apt-get install redis-server",
      "dnf install redis",
      "apk add redis",
      "brew install redis",
      "docker run",
      "wsl --install",
      "--redis-bin",
    ]) {
      expect(error.message).toContain(part);
    }
  });

  it("says why no private copy could be made, in apt's own words", async () => {
    const { system } = fakeSystem({
      "/usr/bin/apt-get": () => ({ exitCode: 100, stderr: "E: Could not resolve deb.debian.org\n" }),
      "/usr/bin/apt-cache": () => "",
      "/usr/bin/dpkg": () => "",
      "/usr/bin/ldd": () => "",
    });
    const lines: string[] = [];
    const error = await failure(findRedis({ system, cache, onProgress: (line) => lines.push(line) }));
    expect(error.message).toContain("apt-get update ended with exit code 100: E: Could not resolve deb.debian.org");
    expect(lines[0]).toContain(cache);
  });
});
