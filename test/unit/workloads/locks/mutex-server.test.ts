import { afterEach, beforeEach, expect, test } from "vitest";
import type { Lock } from "../../../../harness/contracts/lock-adapter.ts";
import { type MutexServer, startMutexServer } from "../../../../harness/lock/mutex/server.ts";
import mutexServer from "../../../../workloads/locks/mutex-server.ts";
import { granted, lockContext, unaborted } from "../../../fixtures/workloads/lock-context.ts";

let server: MutexServer;
const open: Lock[] = [];

beforeEach(async () => {
  server = await startMutexServer();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((lock) => lock.close()));
  await server.close();
});

async function make(): Promise<Lock> {
  const lock = await mutexServer.createLock(lockContext([], { options: { address: server.address } }));
  open.push(lock);
  return lock;
}

test("grants a key to one at a time, whoever asks, with tokens that count up", async () => {
  const [one, other] = [await make(), await make()];
  const first = granted(await one.acquire("a", 10, unaborted));
  expect(await other.acquire("a", 10, unaborted)).toEqual({ outcome: "refused" });
  expect(await one.acquire("a", 10, unaborted)).toEqual({ outcome: "refused" });
  expect(await other.release("a", "77")).toEqual({ outcome: "not-owner" });
  expect(await one.release("a", first.token)).toEqual({ outcome: "released" });
  const second = granted(await other.acquire("a", 10, unaborted));
  expect(second.fencingToken).toBeGreaterThan(first.fencingToken!);
});

test("the end of a holder's connection frees what it held", async () => {
  const [one, other] = [await make(), await make()];
  granted(await one.acquire("a", 60_000, unaborted));
  await one.close();
  for (;;) {
    if ((await other.acquire("a", 60_000, unaborted)).outcome === "granted") break;
  }
});

test("a holder whose connection is lost is told, and what it asks then is indeterminate", async () => {
  const lock = await make();
  const { token } = granted(await lock.acquire("a", 60_000, unaborted));
  const lost = new Promise((resolve) => lock.onLost?.(resolve));
  await server.close();
  expect(await lost).toMatchObject({ key: "a", token });
  expect(await lock.acquire("b", 60_000, unaborted)).toMatchObject({ outcome: "indeterminate" });
  expect(await lock.release("a", token)).toMatchObject({ outcome: "unknown" });
  server = await startMutexServer();
});
