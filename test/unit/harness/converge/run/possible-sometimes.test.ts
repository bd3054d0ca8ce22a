import { expect, test } from "vitest";
import { possibleSometimes } from "../../../../../harness/converge/run/possible-sometimes.ts";
import { World } from "../../../../../harness/converge/run/world.ts";
import { createAdapter as document } from "../../../../../workloads/crdts/replicas/document.ts";
import { createAdapter as opCounter } from "../../../../../workloads/crdts/replicas/op-counter.ts";

const possible = (adapter: ConstructorParameters<typeof World>[0], regions = 3) =>
  possibleSometimes(new World(adapter, { regions, maxEvents: 20 }));

test("a counter has no ties, no removes and no drift to meet", () => {
  const met = possible(opCounter() as ConstructorParameters<typeof World>[0]);
  expect(met).toContain("gap");
  for (const key of ["tie", "concurrentRemove", "driftRefusal", "collectedSome"]) expect(met).not.toContain(key);
});

test("a document has, and no gaps, since its messages are whole; two regions have no third to forward", () => {
  const adapter = document({}) as ConstructorParameters<typeof World>[0];
  expect(possible(adapter)).toEqual(
    expect.arrayContaining(["tie", "concurrentRemove", "driftRefusal", "forwardedAgain"]),
  );
  expect(possible(adapter)).not.toContain("gap");
  expect(possible(adapter, 2)).not.toContain("forwardedAgain");
});
