import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRenewals, type RenewedHold } from "../../../../workloads/locks/renewals.ts";

// Timers and the monotonic clock go together here: each step of the fake timers moves `now` by as much.
let now = 0;
let answers: (boolean | Error | "never")[] = [];
let asked: RenewedHold[] = [];
let lost: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  answers = [];
  asked = [];
  lost = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const hold = { key: "k", token: "t", ttlMs: 300 };

function begin({ everyMs = 100 } = {}) {
  const renewals = createRenewals({
    nowMs: () => now,
    async renew(renewed) {
      asked.push(renewed);
      const answer = answers.shift() ?? true;
      if (answer === "never") return new Promise(() => {});
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  renewals.onLost(({ reason }) => lost.push(reason));
  renewals.begin(hold, { askedAtMs: 0, everyMs });
  return renewals;
}

async function pass(durationMs: number) {
  for (let passed = 0; passed < durationMs; passed += 10) {
    now += 10;
    await vi.advanceTimersByTimeAsync(10);
  }
}

test("renews again and again, long past the first lease", async () => {
  begin();
  await pass(1_000);
  expect(asked.length).toBeGreaterThanOrEqual(9);
  expect(lost).toEqual([]);
});

test("asks no more once the hold ended", async () => {
  const renewals = begin();
  await pass(150);
  renewals.end("t");
  await pass(1_000);
  expect(asked).toHaveLength(1);
  expect(lost).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("tells when the key has another owner, and renews no more", async () => {
  answers = [true, false];
  begin();
  await pass(1_000);
  expect(lost).toEqual(["a renewal found that the key is no longer its own"]);
  expect(asked).toHaveLength(2);
});

test("tries again after an error while the lease lasts", async () => {
  answers = [new Error("LOADING"), true];
  begin();
  await pass(1_000);
  expect(lost).toEqual([]);
});

test("tells when the lease ended with errors alone, and names the last", async () => {
  answers = Array.from({ length: 9 }, () => new Error("LOADING"));
  begin();
  await pass(1_000);
  expect(lost).toEqual(["the lease ended before a renewal was confirmed: LOADING"]);
});

test("tells at the end of the lease when the server is mute, not later", async () => {
  answers = ["never"];
  begin();
  await pass(290);
  expect(lost).toEqual([]);
  await pass(10);
  expect(lost).toEqual(["the lease ended before a renewal was confirmed"]);
});

test("counts the lease from the call of the acquire and of each renewal, not from their answers", async () => {
  answers = ["never"];
  begin({ everyMs: 250 });
  await pass(250);
  expect(asked).toHaveLength(1);
  await pass(50);
  expect(lost).toHaveLength(1);
});

test("after a blocked event loop tells at once, without asking first", async () => {
  begin();
  now = 750;
  await vi.advanceTimersByTimeAsync(100);
  expect(lost).toEqual(["the lease ended before a renewal was confirmed"]);
  expect(asked).toEqual([]);
});
