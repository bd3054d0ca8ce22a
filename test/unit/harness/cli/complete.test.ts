import { describe, expect, test } from "vitest";
import { complete } from "../../../../harness/cli/complete.ts";

describe("what may come next", () => {
  test.each([
    [[], "lo", ["lock"]],
    [[], "--v", ["--version"]],
    [["help"], "lis", ["list"]],
    [["lock"], "--no-co", ["--no-control", "--no-color"]],
    [["lock"], "--comm", ["--command-timeout"]],
    [["lock", "--ack"], "", ["inside", "after"]],
    [["lock", "--lock"], "set-nx-f", ["set-nx-fenced"]],
    [["lock", "--faults"], "art", ["article"]],
    [["matrix", "--scenario"], "slow", ["slow-job"]],
    [["list"], "fa", ["faults"]],
    [["completion"], "", ["bash", "zsh", "fish"]],
    [["nothing"], "", []],
    [["lock", "--ttl"], "", []],
  ])("%j %s", async (words, current, expected) => {
    expect(await complete(words, current)).toEqual(expected);
  });
});
