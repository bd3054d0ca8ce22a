import { expect, test } from "vitest";
import { findingsOf } from "../../../../harness/converge/findings.ts";
import { ORACLES } from "../../../../harness/converge/oracles/registry.ts";
import { failedConvergeResult, zooResult } from "../../../fixtures/results/converge-result.ts";

const crdts = (failed: Record<string, number>) => failedConvergeResult().crdts.map((crdt) => ({ ...crdt, failed }));

test("a finding says in plain words what broke in which data type, however it was found", () => {
  const found = crdts({ "ADD-LOST": 3, "LOST-UPDATE": 1, MINE: 2 });
  for (const mode of ["fuzz", "exhaustive"] as const) {
    expect(findingsOf({ mode, crdts: found }).slice(0, 3)).toMatchObject([
      { arm: found[0]!.name, check: "ADD-LOST", class: "something that was added is missing", count: 3 },
      { arm: found[0]!.name, check: "LOST-UPDATE", class: "an update was lost", count: 1 },
      { arm: found[0]!.name, check: "MINE", class: "an oracle of its own objects", count: 2 },
    ]);
  }
});

test("of the zoo, what was not found out is a finding", () => {
  const { crdts: zoo } = zooResult();
  const alive = zoo.filter(({ mutant }) => mutant?.killed !== true).map(({ name }) => name);
  expect(findingsOf({ mode: "zoo", crdts: zoo }).map(({ arm }) => arm)).toEqual(alive);
});

test("every oracle has a title of its own that fits into a line", () => {
  const titles = ORACLES.map(({ title }) => title);
  expect(new Set(titles).size).toBe(ORACLES.length);
  for (const title of titles) expect(title).toMatch(/^[a-z].{5,59}$/);
});
