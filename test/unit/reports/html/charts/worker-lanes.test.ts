import { expect, it } from "vitest";
import type { Evidence } from "../../../../../harness/contracts/check.ts";
import { workerLanes } from "../../../../../reports/html/charts/worker-lanes.ts";
import { overlapFinding } from "../../../../fixtures/results/lock-result.ts";

const evidence = overlapFinding().evidence as Evidence[];
const withoutFaults = evidence.filter(({ op }) => op !== "fault");
const pause = { name: "redis-pause", target: "node:1", worker: undefined, fromMs: 100, toMs: 2000 };

it("names the faults that hit everyone above the lanes, each in a row of its own", () => {
  const { text } = workerLanes(withoutFaults, "x", [pause, { ...pause, name: "failover" }]);
  const rows = [
    ...text.matchAll(/window-label" x="[\d.]+" y="(\d+)" text-anchor="\w+">(redis-pause|failover) node:1/g),
  ];
  expect(rows.map(([, y, name]) => `${name} ${y}`)).toEqual([
    ...["redis-pause 31", "failover 45"],
    ...["redis-pause 31", "failover 45"],
  ]);
});

it("draws a stop for as long as the run knows that it lasted, and keeps its name in the drawing", () => {
  const last = evidence.at(-1) as Evidence;
  const ends = {
    ...last,
    op: "fault",
    phase: "info",
    outcome: "heal",
    detail: { name: "worker-stop", target: "worker:1" },
  };
  const known = { name: "worker-stop", target: "worker:1", worker: 1, fromMs: 3000, toMs: 3120 };
  const { text } = workerLanes([...withoutFaults, ends as Evidence], "x", [known]);
  expect(text.match(/worker-stop worker:1<\/text>/g)).toHaveLength(2);
  expect(text).toMatch(/text-anchor="end">worker-stop worker:1/);
});
