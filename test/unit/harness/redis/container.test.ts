import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { containerArguments, findContainer } from "../../../../harness/redis/container.ts";
import { fakeSystem, redisServer } from "./fake-system.ts";

const container = { engine: "/usr/bin/docker", image: "redis:7.2", network: "host" } as const;

describe("containerArguments", () => {
  it("shares the host's network and the server's folder on Linux", () => {
    const args = containerArguments({
      container,
      user: "1000:1000",
      name: "holdfast-x",
      folder: "/tmp/run/node-1",
      port: 20001,
      env: { LANG: "C" },
      program: ["redis-server", "/tmp/run/node-1/redis.conf"],
    });
    expect(args.join(" ")).toBe(
      "run --rm --interactive --name holdfast-x --network host --user 1000:1000 --volume /tmp/run/node-1:/tmp/run/node-1 --workdir /tmp/run/node-1 --env LANG=C redis:7.2 redis-server /tmp/run/node-1/redis.conf",
    );
  });

  it("publishes the port on loopback only, where the engine runs in a virtual machine", () => {
    const args = containerArguments({ container: { ...container, network: "published" }, port: 20001, program: ["x"] });
    expect(args.join(" ")).toBe("run --rm --interactive --publish 127.0.0.1:20001:20001 redis:7.2 x");
  });
});

describe("findContainer", () => {
  let cache: string;
  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), "container-"));
    onTestFinished(() => rmSync(cache, { recursive: true }));
  });

  const engine = (version: string) => (args: readonly string[]) =>
    args[0] === "version" ? "28.0.1" : redisServer(version)();

  it("gives scripts that run the image's programs", async () => {
    const { system } = fakeSystem({ "/usr/bin/podman": engine("7.2.5") });
    const lines: string[] = [];
    const found = await findContainer(system, cache, (line) => lines.push(line));
    expect(found).toMatchObject({ how: "container", version: "7.2.5", server: join(cache, "container/redis-server") });
    const script = readFileSync(join(cache, "container/redis-cli"), "utf8");
    expect(script).toMatch(/^#!\/bin\/sh\nexec '\/usr\/bin\/podman' 'run' .* 'redis-cli' "\$@"\n$/);
    expect(statSync(join(cache, "container/redis-cli")).mode & 0o111).toBe(0o111);
    expect(lines[0]).toMatch(/^Using podman/);
  });

  it("passes over an engine that does not answer", async () => {
    const { system } = fakeSystem({
      "/usr/bin/docker": () => ({ exitCode: 1, stderr: "Cannot connect to the Docker daemon" }),
      "/usr/bin/podman": engine("7.2.5"),
    });
    expect(await findContainer(system, cache)).toMatchObject({
      container: { engine: "/usr/bin/podman", network: "host" },
    });
    expect(await findContainer({ ...system, platform: "darwin" }, cache)).toMatchObject({
      container: { network: "published" },
    });
  });

  it("says why there is none", async () => {
    expect(await findContainer(fakeSystem({}).system, cache)).toBe("no container engine (docker, podman) on PATH");
    const silent = fakeSystem({ "/usr/bin/docker": () => ({ exitCode: 1 }) }).system;
    expect(await findContainer(silent, cache)).toBe("docker does not answer");
    const noImage = fakeSystem({
      "/usr/bin/docker": (args) => (args[0] === "version" ? "28" : { exitCode: 125, stderr: "a\nno such image" }),
    }).system;
    expect(await findContainer(noImage, cache)).toBe("docker: no such image");
  });
});
