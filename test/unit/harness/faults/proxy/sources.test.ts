import { describe, expect, it } from "vitest";
import { linkChoices, takesIn, takesInNode } from "../../../../../harness/faults/proxy/link-selector.ts";
import { sourceAddress, sourceAt } from "../../../../../harness/faults/proxy/sources.ts";

describe("sourceAddress", () => {
  it("gives each source an address of its own, and back", () => {
    const names = ["client", "node", "sentinel"].flatMap((kind) =>
      [1, 2, 254, 255, 508, 509, 65_024].map((index) => `${kind}:${index}`),
    );
    const addresses = names.map(sourceAddress);
    expect(new Set(addresses).size).toBe(names.length);
    expect(addresses.map(sourceAt)).toEqual(names);
    expect(sourceAddress("client:1")).toBe("127.0.1.1");
    expect(sourceAddress("worker:2")).toBe("127.0.1.2");
    expect(sourceAddress("node:255")).toBe("127.1.2.1");
  });

  it("takes other addresses as other", () => {
    expect(["127.0.0.1", "10.0.1.1", "::1", undefined, "127.0.9.1", "127.0.1.0", "127.0.1.255"].map(sourceAt)).toEqual(
      Array(7).fill("other"),
    );
    expect(sourceAt("::ffff:127.0.1.3")).toBe("client:3");
  });

  it.each(["client", "client:0", "client:70000", "queue:1", ""])("refuses %j", (name) => {
    expect(() => sourceAddress(name)).toThrow(RangeError);
  });
});

describe("linkChoices", () => {
  const link = { source: "client:2", node: "node:3" };
  it.each([
    [[], true],
    [["node:3"], true],
    [["node:1"], false],
    [["client:2"], true],
    [["worker:2"], true],
    [["client:1"], false],
    [["client:2-node:3"], true],
    [["worker:2-node:3"], true],
    [["client:2-node:1"], false],
    [["node:1", "client:2-node:3"], true],
    [["node:2-node:3"], false],
  ])("%j takes it in: %j", (targets, expected) => {
    expect(takesIn(linkChoices(targets), link)).toBe(expected);
  });

  it("tells whether a whole node is meant", () => {
    expect(takesInNode([], "node:1")).toBe(true);
    expect(takesInNode(linkChoices(["node:1"]), "node:1")).toBe(true);
    expect(takesInNode(linkChoices(["client:1-node:1", "client:1"]), "node:1")).toBe(false);
  });
});
