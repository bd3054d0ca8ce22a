import { expect, it } from "vitest";
import { replaySchedule } from "../../../../../harness/converge/replay/replay-schedule.ts";
import { loadAdapter } from "../fixture.ts";

/** What a library does rightly and what looked like a fault of it, as schedules of three regions. */
it.each([
  [
    "a shallow snapshot brings more than was asked for to somebody who lacks its start",
    [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2, 1, 1, 5, 3, 0, 0, 0, 11, 1, 0, 0, 3, 0, 0, 0],
  ],
  [
    "and to a region that lost everything",
    [
      0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 2, 0, 1, 0, 2, 1, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 2, 2, 1, 5, 9, 1, 0, 0, 3,
    ].concat([0, 0, 0]),
  ],
  [
    "an operation that waits for its causes, its maker gone, comes free in the final exchange at one region only",
    [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0, 6, 9, 1, 0, 0, 3, 0, 0, 0],
  ],
  [
    "writing what is there already is no operation that others could wait for",
    [
      1, 0, 0, 0, 0, 0, 4, 15, 2, 0, 0, 0, 3, 0, 0, 0, 0, 1, 4, 15, 2, 1, 1, 0, 3, 0, 0, 0, 0, 0, 17, 0, 2, 0, 1, 6, 3,
      1,
    ].concat([0, 0]),
  ],
])("loro: %s", async (_, schedule) => {
  const adapter = await loadAdapter("loro");
  const request = { regions: 3, arguments: "any", deep: false, all: false, schedule } as const;
  expect(replaySchedule(adapter, request)).toMatchObject({ oracle: "" });
});

it.each([
  [
    "a document with changes that wait for their causes is sent whole by the protocol of synchronisation",
    [
      2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 6, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 18, 0, 2, 1, 0, 6, 3, 3, 0, 0, 2, 2,
      0, 4, 3, 0, 0, 0, 3, 3, 0, 0,
    ],
  ],
  [
    "since heads that it has not got itself, it has everything to send, and the peer has lost everything meanwhile",
    [0, 0, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 2, 0, 0, 6, 3, 0, 0, 0, 2, 1, 1, 2, 9, 0, 0, 0, 3, 1, 0, 0],
  ],
  [
    "the same with heads of which it waits for the causes",
    [
      2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 3, 0, 0, 0, 0, 2, 3, 0, 0, 2, 0, 0, 2, 2, 0, 6, 0, 0, 18, 0, 3, 0, 0, 0, 2, 0,
      1, 2, 9, 2, 0, 0, 3, 1, 0, 0,
    ],
  ],
])("automerge: %s", async (_, schedule) => {
  const adapter = await loadAdapter("automerge");
  const request = { regions: 3, arguments: "any", deep: false, all: false, schedule } as const;
  expect(replaySchedule(adapter, request)).toMatchObject({ oracle: "" });
});
