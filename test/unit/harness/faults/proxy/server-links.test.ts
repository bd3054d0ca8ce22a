import { describe, expect, test } from "vitest";
import { isAboutServerLinks } from "../../../../../harness/faults/proxy/server-links.ts";

const aimed = (name: string, targets: readonly string[], parameters: Record<string, string> = {}) =>
  isAboutServerLinks({ name, targets, parameters });

describe("isAboutServerLinks", () => {
  test("connections that servers make: of replicas and of sentinels", () => {
    expect(aimed("latency", ["node:2-node:1"])).toBe(true);
    expect(aimed("latency", ["client:1-node:1", "sentinel:1-node:1"])).toBe(true);
    expect(aimed("partition", [], { a: "node:1", b: "node:2+sentinel:1" })).toBe(true);
    expect(aimed("partition", [], { a: "client:1+node:1", b: "client:2+node:2" })).toBe(true);
    expect(aimed("redis-failover", ["node:1"])).toBe(true);
  });

  test("not connections of clients, nor whole nodes", () => {
    expect(aimed("latency", [])).toBe(false);
    expect(aimed("latency", ["node:1", "client:1", "worker:2", "client:1-node:3"])).toBe(false);
    expect(aimed("partition", [], { a: "client:1+client:2", b: "node:1+node:2" })).toBe(false);
    expect(aimed("redis-kill", ["node:1"])).toBe(false);
  });
});
