import { expect, test } from "vitest";
import { createRoom } from "../../../../harness/matrix/room.ts";

test("less room while cells come late, each time once for all that ran then; and more again while they do not", () => {
  let now = 0;
  const room = createRoom(8, () => now);
  expect(room.capacity()).toBe(8);
  now = 10;
  room.wasLate(0);
  room.wasLate(5);
  expect(room.capacity()).toBeCloseTo(6.4);
  room.wasInTime(5);
  expect(room.capacity()).toBeCloseTo(6.4);
  for (let cell = 0; cell < 20; cell += 1) room.wasInTime(11);
  expect(room.capacity()).toBe(8);
  for (let cell = 0; cell < 20; cell += 1) {
    now += 10;
    room.wasLate(now);
  }
  expect(room.capacity()).toBeCloseTo(3.2);
});
