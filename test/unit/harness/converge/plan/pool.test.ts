import { expect, test } from "vitest";
import type { Field } from "../../../../../harness/contracts/crdt-fields.ts";
import { makePool, POOLS } from "../../../../../harness/converge/plan/pool.ts";

const fields: Field[] = [
  { name: "fields", type: "register", conflict: "lww", keys: ["a", "b", "__proto__"] },
  { name: "total", type: "counter" },
  { name: "sets", type: "set", conflict: "add-wins", keys: ["tags"], elements: ["x", "y", "é"] },
];

test("pool 0 is the simplest: the first key, the first element", () => {
  const { groups, cells } = makePool({ fields }, 0);
  expect(groups.map(({ label }) => label)).toEqual(["fields.a", "total", "sets.tags"]);
  expect(cells.map(({ element }) => element)).toEqual(["", "", "x"]);
});

test("pools stay small, differ, and together use the whole domain", () => {
  const pools = Array.from({ length: POOLS }, (_, number) => makePool({ fields }, number));
  for (const { groups, cells } of pools) {
    expect(groups.length).toBeLessThanOrEqual(4);
    expect(cells.length).toBeLessThanOrEqual(5);
    expect(new Set(groups.map(({ label }) => label)).size).toBe(groups.length);
  }
  const keys = new Set(
    pools.flatMap(({ groups }) => groups.filter(({ field }) => field.name === "fields").map(({ key }) => key)),
  );
  const elements = new Set(pools.flatMap(({ cells }) => cells.map(({ element }) => element)));
  expect(keys).toEqual(new Set(["a", "b", "__proto__"]));
  expect(elements).toEqual(new Set(["", "x", "y", "é"]));
});

test("a key that every object has by birth is no plain key", () => {
  const pools = Array.from({ length: POOLS }, (_, number) => makePool({ fields }, number));
  for (const { groups } of pools) for (const { key, plainKey } of groups) expect(plainKey).toBe(key !== "__proto__");
});
