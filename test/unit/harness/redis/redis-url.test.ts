import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../../harness/errors.ts";
import { parseRedisUrl, printableAddress, redactRedisUrl } from "../../../../harness/redis/redis-url.ts";

describe("parseRedisUrl", () => {
  it.each([
    ["redis://localhost", { host: "localhost", port: 6379, db: 0 }],
    ["redis://127.0.0.1:7000/3", { host: "127.0.0.1", port: 7000, db: 3 }],
    ["redis://host:80", { host: "host", port: 80, db: 0 }],
    ["redis://host/?db=2", { host: "host", port: 6379, db: 2 }],
    ["redis://[::1]:7000", { host: "::1", port: 7000, db: 0 }],
    ["REDISS://host", { host: "host", port: 6379, tls: true, db: 0 }],
    ["valkey://host", { host: "host", port: 6379, db: 0 }],
    ["valkeys://host", { host: "host", port: 6379, tls: true, db: 0 }],
    ["redis://:secret@host", { host: "host", port: 6379, password: "secret", db: 0 }],
    ["redis://ann:s%40c%3Ar%2Ft@host:1/1", { host: "host", port: 1, username: "ann", password: "s@c:r/t", db: 1 }],
    ["unix:///tmp/redis.sock", { host: "localhost", port: 0, path: "/tmp/redis.sock", db: 0 }],
    [
      "unix://ann:pw@/tmp/a%20b.sock?db=4",
      { host: "localhost", port: 0, path: "/tmp/a b.sock", username: "ann", password: "pw", db: 4 },
    ],
    ["redis+unix:///s", { host: "localhost", port: 0, path: "/s", db: 0 }],
  ])("reads %s", (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    ["localhost:6379", /write redis:\/\/localhost:6379/],
    ["http://host", /http:\/\/ is not a scheme of Redis/],
    ["redis://", /names no host/],
    ["redis:///3", /names no host/],
    ["redis://host:99999", /no valid address/],
    ["redis://host:0", /0 is not a port/],
    ["redis://host/three", /the database is a number, not "three"/],
    ["redis://host/-1", /the database is a number/],
    ["redis://host?database=3", /\?database is not known; only \?db is/],
    ["redis://ann@host", /a user without a password/],
    ["redis://:a%zz@host", /%25/],
    ["unix://tmp/redis.sock", /starts with \//],
  ])("refuses %s, with the reason and the way to write it", (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(UsageError);
    expect(() => parseRedisUrl(url)).toThrow(reason);
    expect(() => parseRedisUrl(url)).toThrow("unix:///path/to/socket?db=0");
  });

  it("never shows the password of an address that it refuses", () => {
    for (const url of ["redis://:hunter2@host/x", "redis://ann:hunter2#@host", "hunter2@host", "http://a:hunter2@h"]) {
      const refused = () => parseRedisUrl(url);
      expect(refused).toThrow(UsageError);
      expect(refused).not.toThrow(/hunter2/);
    }
  });
});

describe("redactRedisUrl", () => {
  it.each([
    ["redis://host:1/2", "redis://host:1/2"],
    ["redis://:secret@host", "redis://:***@host"],
    ["redis://ann:se:cr@et@host", "redis://ann:***@host"],
    ["redis://secret@host", "redis://***@host"],
    ["secret@host", "***@host"],
    ["redis://host?password=secret&db=1", "redis://host?password=***&db=1"],
  ])("shows %s as %s", (url, shown) => {
    expect(redactRedisUrl(url)).toBe(shown);
  });
});

it("shows an address so that it reads the same, the password excepted", () => {
  const address = fc.record({
    host: fc.constantFrom("localhost", "10.0.0.1", "::1"),
    port: fc.integer({ min: 1, max: 65_535 }),
    db: fc.nat(99),
    username: fc.stringMatching(/^[a-z]{0,5}$/),
    password: fc.string({ minLength: 8 }),
    tls: fc.boolean(),
  });
  fc.assert(
    fc.property(address, ({ host, port, db, username, password, tls }) => {
      const shown = printableAddress({ host, port, db, ...(tls ? { tls } : {}), username, password });
      const read = parseRedisUrl(shown);
      expect(read).toEqual({
        host,
        port,
        db,
        ...(tls ? { tls } : {}),
        ...(username ? { username } : {}),
        password: "***",
      });
    }),
  );
  expect(printableAddress({ host: "localhost", port: 0, path: "/s", db: 1, password: "x" })).toBe(
    "unix://:***@/s?db=1",
  );
});
