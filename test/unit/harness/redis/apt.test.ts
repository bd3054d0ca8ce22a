import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApt, hasApt } from "../../../../harness/redis/apt.ts";
import { fakeSystem } from "./fake-system.ts";

// As apt 2.6 prints them.
const POLICY = `redis-server:
  Installed: (none)
  Candidate: 5:7.0.15-1~deb12u7
  Version table:
     5:7.0.15-1~deb12u7 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
valkey-server:
  Installed: (none)
  Candidate: (none)
  Version table:
`;
const DEPENDS = `redis-tools
  Depends: adduser
  Depends: libatomic1
 |Depends: libssl3
  Depends: <libssl-virtual>
  Conflicts: something
redis-server
  PreDepends: dpkg
`;

describe("apt", () => {
  it("reads the versions on offer and the dependencies", async () => {
    const { system } = fakeSystem({
      "/usr/bin/apt-cache": (args) => (args.includes("policy") ? POLICY : DEPENDS),
    });
    const apt = createApt(system, "/nowhere");
    expect([...(await apt.candidates(["redis-server", "valkey-server"]))]).toEqual([
      ["redis-server", "5:7.0.15-1~deb12u7"],
    ]);
    expect([...(await apt.dependencies(["redis-tools"]))]).toEqual([
      "adduser",
      "libatomic1",
      "libssl3",
      "<libssl-virtual>",
      "dpkg",
    ]);
  });

  it("uses lists of its own once it has fetched them, and only then", async () => {
    const folder = mkdtempSync(join(tmpdir(), "apt-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { system, calls } = fakeSystem({ "/usr/bin/apt-get": () => "", "/usr/bin/apt-cache": () => "" });
    const apt = createApt(system, folder);
    await apt.candidates(["x"]);
    expect(calls[0]?.join(" ")).not.toContain(folder);

    await apt.updatePrivately();
    await apt.download(["x"], "/there");
    expect(existsSync(join(folder, "state/lists/partial"))).toBe(true);
    for (const call of calls.slice(1)) {
      expect(call).toContain(`Dir::State=${folder}/state`);
      expect(call).toContain(`Dir::State::lists=${folder}/state/lists`);
      expect(call).toContain("Dir::State::status=/var/lib/dpkg/status");
      expect(call).toContain(`Dir::Cache=${folder}/cache`);
    }
  });

  it("switches apt's own user off only for root, who could not write here otherwise", async () => {
    for (const [uid, expected] of [
      [0, true],
      [1000, false],
    ] as const) {
      const { system, calls } = fakeSystem({ "/usr/bin/apt-get": () => "" }, { uid });
      await createApt(system, "/nowhere").download(["x"], "/there");
      expect(calls[0]?.includes("APT::Sandbox::User=root")).toBe(expected);
    }
  });

  it("is there only with all four tools, on Linux", () => {
    const tools = Object.fromEntries(
      ["apt-get", "apt-cache", "dpkg", "ldd"].map((name) => [`/usr/bin/${name}`, () => ""]),
    );
    expect(hasApt(fakeSystem(tools).system)).toBe(true);
    expect(hasApt(fakeSystem(tools, { platform: "darwin" }).system)).toBe(false);
    const { "/usr/bin/ldd": _, ...without } = tools;
    expect(hasApt(fakeSystem(without).system)).toBe(false);
  });
});
