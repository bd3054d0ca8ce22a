import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UnavailableError } from "../../../../harness/errors.ts";
import { faketimeEnvironment } from "../../../../harness/redis/faketime.ts";
import type { RedisInstallation } from "../../../../harness/redis/installation.ts";
import { fakeSystem } from "./fake-system.ts";

const redis: RedisInstallation = {
  ...{ how: "path", version: "7.0.15", flavour: "redis", server: "/usr/bin/redis-server", env: {} },
  ...{ cli: undefined, benchmark: undefined },
};
const ldd = "\tlibm.so.6 => /lib/libm.so.6 (0x00007f)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)\n";

function cacheWith(library?: string): string {
  const cache = mkdtempSync(join(tmpdir(), "holdfast-faketime-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  if (library !== undefined) {
    mkdirSync(join(cache, library, ".."), { recursive: true });
    writeFileSync(join(cache, library), "");
  }
  return cache;
}

test("libfaketime stands before libc in LD_PRELOAD", async () => {
  const library = "faketime/x64/root/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
  const cache = cacheWith(library);
  const { system } = fakeSystem({ "/usr/bin/ldd": () => ldd });
  const { LD_PRELOAD } = await faketimeEnvironment(redis, { system, cache });
  expect(LD_PRELOAD).toMatch(/libfaketime\.so\.1:\/lib\/x86_64-linux-gnu\/libc\.so\.6$/);
});

test.each([
  ["another system", { platform: "darwin" as const }, redis, /only on Linux/],
  [
    "a container",
    {},
    { ...redis, container: { engine: "docker", image: "redis:7", network: "host" as const } },
    /not in a container/,
  ],
  ["another C library", {}, redis, /does not use glibc/],
])("%s: refused with how to get it, or what to use instead", async (_, system, installation, why) => {
  const asked = faketimeEnvironment(installation, {
    system: fakeSystem({ "/usr/bin/ldd": () => "musl" }, system).system,
    cache: cacheWith(),
  });
  const error = await asked.then(
    () => expect.fail("it was found"),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error.message).toMatch(why);
  expect(error.message).toMatch(/apt-get install libfaketime.*redis-clock/);
});
