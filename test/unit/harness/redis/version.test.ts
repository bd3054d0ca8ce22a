import { describe, expect, it } from "vitest";
import { atLeast, isAccepted, parseVersionOutput, versionOfPackage } from "../../../../harness/redis/version.ts";

describe("parseVersionOutput", () => {
  it.each([
    ["Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=d81b8ff71cfb150e\n", "redis", "7.0.15"],
    ["Valkey server v=8.1.1 sha=00000000:0 malloc=libc bits=64 build=1\n", "valkey", "8.1.1"],
    ["WARNING: something\nRedis server v=6.2.14 sha=0\n", "redis", "6.2.14"],
  ])("reads %j", (output, flavour, version) => {
    expect(parseVersionOutput(output)).toEqual({ flavour, version });
  });

  it("refuses the output of something else", () => {
    expect(parseVersionOutput("redis-cli 7.0.15")).toBeUndefined();
    expect(parseVersionOutput("")).toBeUndefined();
  });
});

it.each([
  ["5:7.0.15-1~deb12u7", "7.0.15"],
  ["5:6.0.16-1ubuntu1", "6.0.16"],
  ["8.1.1+dfsg1-2", "8.1.1"],
  ["(none)", undefined],
  ["", undefined],
])("takes from the package version %j the server's, %j", (packageVersion, version) => {
  expect(versionOfPackage(packageVersion)).toBe(version);
});

it("compares versions by number", () => {
  expect(atLeast("6.10.0", "6.2.0")).toBe(true);
  expect(atLeast("6.2", "6.2.0")).toBe(true);
  expect(atLeast("6.1.99", "6.2.0")).toBe(false);
  expect(atLeast("7.0.14", "7.0.15")).toBe(false);
});

it("accepts 6.2 and nothing older", () => {
  expect(isAccepted("6.2.0")).toBe(true);
  expect(isAccepted("6.0.16")).toBe(false);
});
