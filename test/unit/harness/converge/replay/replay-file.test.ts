import { describe, expect, test } from "vitest";
import {
  formatReplayFile,
  parseReplayFile,
  type ReplayFile,
} from "../../../../../harness/converge/replay/replay-file.ts";
import { replaySchedule } from "../../../../../harness/converge/replay/replay-schedule.ts";
import { documentAdapter } from "../../../../fixtures/converge/document.ts";

const file: Omit<ReplayFile, "schema"> = {
  crdt: { name: "mine", argument: "./mine.ts", options: { width: 16 } },
  regions: 3,
  arguments: "any",
  deep: true,
  all: false,
  seed: 1,
  index: 12,
  oracle: "HLC-REGRESSED",
  expected: "a",
  actual: 'b "@"',
  schedule: [0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0],
};

describe("a replay file", () => {
  test("reads back as it was written, one event a line", () => {
    const text = formatReplayFile(file);
    expect(parseReplayFile(text, "x.json")).toEqual({ schema: "harness.counterexample/1", ...file });
    expect(text).toContain("\n    8, 0, 0, 0\n");
    expect(formatReplayFile(file)).toBe(text);
  });

  test.each([
    ["cut short", formatReplayFile(file).slice(0, 200), /no JSON.*cut short/],
    ["something else", '{"schema": "harness.result/1"}', /is no counterexample.*harness\.result\/1/],
    ["of another version", '{"schema": "harness.counterexample/7"}', /another version \(harness\.counterexample\/7\)/],
    [
      "an event short",
      JSON.stringify({ schema: "harness.counterexample/1", ...file, schedule: [0, 0, 0, 0, 1] }),
      /damaged:\n {2}- schedule/,
    ],
    [
      "with an event that there is not",
      JSON.stringify({ schema: "harness.counterexample/1", ...file, schedule: [0, 0, 0, 0, 99, 0, 0, 0] }),
      /damaged:\n {2}- schedule\.4: event 0 is of kind 99, and kinds go from 0 to 11/,
    ],
    [
      "with an argument below 0",
      JSON.stringify({ schema: "harness.counterexample/1", ...file, schedule: [0, 0, 0, 0, 0, -1, 0, 0] }),
      /damaged:\n {2}- schedule\.5/,
    ],
    [
      "for one region",
      JSON.stringify({ schema: "harness.counterexample/1", ...file, regions: 1 }),
      /damaged:\n {2}- regions/,
    ],
  ])("that is %s is refused, and the message says so", (_, text, message) => {
    expect(() => parseReplayFile(text, "x.json")).toThrow(message);
  });

  test("runs again: the mistake shows, the correct type passes", () => {
    const mistaken = replaySchedule(documentAdapter("clock-not-saved"), file);
    expect(mistaken).toMatchObject({ oracle: "HLC-REGRESSED", failedAt: 1 });
    expect(replaySchedule(documentAdapter(), file)).toMatchObject({ oracle: "" });
  });
});
