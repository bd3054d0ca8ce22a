import { expect, it } from "vitest";
import { freePort } from "../../../../harness/redis/free-port.ts";

it("gives no port twice, and none from the range of outgoing connections", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  expect(ports.filter((port) => port < 20_000 || port >= 32_000)).toEqual([]);
});
