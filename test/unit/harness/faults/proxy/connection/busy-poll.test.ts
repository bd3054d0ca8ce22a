import { expect, test } from "vitest";
import { BusyPoll } from "../../../../../../harness/faults/proxy/connection/busy-poll.ts";

/** An event loop whose turns take 10 us each, and whose time passes only in turns and by hand. */
function eventLoop() {
  let nowMs = 1_000;
  let next: (() => void) | undefined;
  const poll = new BusyPoll({
    now: () => nowMs,
    nextTurn: (callback) => {
      next = callback;
    },
  });
  const turn = (ms = 0.01) => {
    nowMs += ms;
    const callback = next;
    next = undefined;
    callback?.();
  };
  return {
    poll,
    isAwake: () => next !== undefined,
    turn,
    sleep: (ms: number) => {
      nowMs += ms;
    },
    /** Turns until it sleeps, and how many there were. */
    turnsUntilAsleep: () => {
      let turns = 0;
      for (; next; turns++) turn();
      return turns;
    },
  };
}

test("it stays awake for 60 us after bytes have passed, and not longer", () => {
  const { poll, isAwake, turnsUntilAsleep } = eventLoop();
  expect(isAwake()).toBe(false);
  poll.passed("requests");
  expect(turnsUntilAsleep()).toBe(6);
});

test("a reply is awaited for as long after a request, and nothing after a reply, awake or not", () => {
  const { poll, sleep } = eventLoop();
  expect(poll.awaitsReply).toBe(false);
  poll.passed("requests");
  sleep(0.059);
  expect(poll.awaitsReply).toBe(true);
  sleep(0.002);
  expect(poll.awaitsReply).toBe(false);
  poll.passed("replies");
  expect(poll.awaitsReply).toBe(false);
});

test("bytes that come meanwhile prolong it", () => {
  const { poll, turn, turnsUntilAsleep } = eventLoop();
  poll.passed("requests");
  for (let count = 0; count < 4; count++) turn();
  poll.passed("replies");
  expect(turnsUntilAsleep()).toBe(6);
});

test("where nothing follows a reply soon, it waits for the reply only, and tries again now and then", () => {
  const { poll, turn, sleep, isAwake, turnsUntilAsleep } = eventLoop();
  const waits = { replies: 0, requests: 0 };
  for (let round = 0; round < 200; round++) {
    sleep(10);
    poll.passed("requests");
    if (isAwake()) waits.replies++;
    turn();
    turn();
    poll.passed("replies");
    turn();
    if (isAwake()) waits.requests++;
    turnsUntilAsleep();
  }
  expect(waits.replies).toBe(200);
  // 8 until it has learned, then one in 16.
  expect(waits.requests).toBe(8 + Math.floor(192 / 16));
});

test("where a request follows a reply soon again, it waits again", () => {
  const { poll, turn, sleep, isAwake, turnsUntilAsleep } = eventLoop();
  for (let round = 0; round < 20; round++) {
    sleep(10);
    poll.passed("replies");
    turnsUntilAsleep();
  }
  for (let round = 0; round < 17; round++) {
    poll.passed("replies");
    turn();
  }
  expect(isAwake()).toBe(true);
});

test("a turn in which others had the processor lets it rest for 100 ms", () => {
  const { poll, turn, sleep, isAwake } = eventLoop();
  poll.passed("requests");
  turn(2);
  expect(isAwake()).toBe(false);
  sleep(50);
  poll.passed("requests");
  expect(isAwake()).toBe(false);
  sleep(51);
  poll.passed("requests");
  expect(isAwake()).toBe(true);
});

test("much in one turn lets it rest for 5 ms", () => {
  const { poll, turn, sleep, isAwake } = eventLoop();
  for (let piece = 0; piece < 3; piece++) poll.passed("requests");
  turn();
  expect(isAwake()).toBe(false);
  sleep(4);
  poll.passed("requests");
  expect(isAwake()).toBe(false);
  sleep(2);
  poll.passed("requests");
  expect(isAwake()).toBe(true);
});
