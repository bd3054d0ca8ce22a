import { describe, expect, it } from "vitest";
import { quoted, type ServerConfigOptions, serverConfig } from "../../../../harness/redis/server-config.ts";

const base: ServerConfigOptions = {
  version: "7.0.15",
  port: 20_001,
  folder: "/tmp/run/node-1",
  persistence: "none",
  sentinel: false,
  published: false,
  config: {},
};

const lines = (options: Partial<ServerConfigOptions>) => serverConfig({ ...base, ...options }).split("\n");

describe("serverConfig", () => {
  it("listens on loopback only and keeps nothing on disk", () => {
    const config = lines({});
    expect(config).toEqual(expect.arrayContaining(["port 20001", "bind 127.0.0.1", 'save ""', "appendonly no"]));
    expect(config).toEqual(expect.arrayContaining(['dir "/tmp/run/node-1"', "set-proc-title no", "daemonize no"]));
    expect(config).toContain("enable-debug-command local");
    expect(config.some((line) => line.startsWith("bind-source-addr"))).toBe(false);
  });

  it("leaves out what 6.2 does not know, and gives the source address in its way", () => {
    const config = lines({ version: "6.2.14", sourceAddress: "127.0.2.1" });
    expect(config.join("\n")).not.toMatch(/enable-debug-command|bind-source-addr/);
    expect(config).toContain("bind 127.0.2.1 127.0.0.1");
    expect(lines({ sourceAddress: "127.0.2.1" })).toEqual(
      expect.arrayContaining(["bind 127.0.0.1", "bind-source-addr 127.0.2.1"]),
    );
  });

  it("writes an append-only file when asked to", () => {
    expect(lines({ persistence: "aof" })).toEqual(expect.arrayContaining(["appendonly yes", "appendfsync everysec"]));
  });

  it("gives a sentinel nothing that only servers know", () => {
    const config = lines({ sentinel: true, config: { sentinel: ["monitor p 127.0.0.1 1 2", "resolve-hostnames no"] } });
    expect(config.join("\n")).not.toMatch(/save|appendonly|enable-debug/);
    expect(config).toEqual(
      expect.arrayContaining(["sentinel monitor p 127.0.0.1 1 2", "sentinel resolve-hostnames no"]),
    );
  });

  it("listens to the outside of a container whose port is published on loopback", () => {
    expect(lines({ published: true })).toContain("bind 0.0.0.0");
  });

  it("lets further directives win, once", () => {
    expect(lines({ config: { appendonly: "yes" } }).filter((line) => line.startsWith("appendonly"))).toEqual([
      "appendonly yes",
    ]);
  });
});

it("quotes a value so that redis.conf takes it as one", () => {
  expect(quoted('a "b" \\c')).toBe('"a \\"b\\" \\\\c"');
});
