import { connect } from "node:net";
import { expect, test } from "vitest";
import type { LockContext, LockModule } from "../../../../harness/contracts/lock-adapter.ts";
import { flawOfMadeLock } from "../../../../harness/module-trial/make-lock.ts";

const flawOf = (createLock: unknown) => flawOfMadeLock({ createLock } as Partial<LockModule>, "my.ts", {});
const lock = {
  capabilities: {},
  acquire: () => {},
  release: () => {},
  redisKeys: () => [],
  close: async () => {},
};

test.each([
  ["an empty object", () => ({}), "the lock that my.ts makes lacks `acquire`, `release`, `redisKeys`, `close`"],
  ["null", async () => null, "createLock of my.ts returned null; it has to return a lock, or a promise of one"],
  ["nothing", () => {}, "createLock of my.ts returned nothing; it has to return a lock, or a promise of one"],
  ["no capabilities", () => ({ ...lock, capabilities: null }), "the lock that my.ts makes states no `capabilities`"],
  [
    "a key outside of the run's own",
    () => ({ ...lock, redisKeys: (key: string) => [{ node: 1, db: 0, key: `mine:${key}` }] }),
    "my.ts locks the key mine:holdfast-key-1, without the `keyPrefix` that createLock was given. " +
      "A run writes under its own prefix only: put `keyPrefix` into the key",
  ],
])("%s is no lock", async (_what, createLock, flaw) => {
  expect(await flawOf(createLock)).toBe(flaw);
});

test("a library's own prefix before the run's is no flaw", async () => {
  const redisKeys = (keyPrefix: string) => (key: string) => [{ node: 1, db: 0, key: `mutex:${keyPrefix}${key}` }];
  expect(await flawOf(({ keyPrefix }: LockContext) => ({ ...lock, redisKeys: redisKeys(keyPrefix) }))).toBeUndefined();
});

test("a lock is one, and is closed", async () => {
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };
  expect(await flawOf(() => ({ ...lock, close }))).toBeUndefined();
  expect(isClosed).toBe(true);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no Redis here");
    },
  ],
  ["never resolves", () => new Promise(() => {})],
  [
    "waits for the server's first word",
    ({ nodes: [node] }: LockContext) =>
      new Promise((_, reject) => {
        const socket = connect({ host: node!.host, port: node!.port });
        socket
          .on("data", () => {})
          .on("error", reject)
          .unref();
      }),
  ],
  ["closes for ever", () => ({ ...lock, close: () => new Promise(() => {}) })],
])("one that %s is left to the run", async (_what, createLock) => {
  expect(await flawOf(createLock)).toBeUndefined();
});

test("a module without createLock is not for this to judge", async () => {
  expect(await flawOfMadeLock({}, "my.ts", {})).toBeUndefined();
});
