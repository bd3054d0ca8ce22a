import { expect, test } from "vitest";
import { sleepUnlessAborted, unlessAborted } from "../../../../../harness/lock/orchestrator/abort.ts";

const never = new Promise<number>(() => {});

test("a promise that waits for ever ends with the signal's reason", async () => {
  const controller = new AbortController();
  const waiting = unlessAborted(controller.signal, never);
  controller.abort(new Error("the server died"));
  await expect(waiting).rejects.toThrow("the server died");
  await expect(unlessAborted(controller.signal, Promise.resolve(1))).rejects.toThrow("the server died");
});

test("without an abort the promise has its way", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, Promise.resolve(7))).toBe(7);
  await expect(unlessAborted(signal, Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("a sleep ends early when aborted, without an error", async () => {
  const controller = new AbortController();
  const sleeping = sleepUnlessAborted(2 ** 30, controller.signal);
  controller.abort();
  await sleeping;
  await sleepUnlessAborted(2 ** 30, controller.signal);
});
