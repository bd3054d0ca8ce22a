import { describe, expect, test } from "vitest";
import { expandFaults } from "../../../../harness/faults/plan-language/expand.ts";
import { readFaultPlan } from "../../../../harness/faults/plan-language/fault-plan.ts";
import { formatFaults } from "../../../../harness/faults/plan-language/format.ts";
import { readParameter } from "../../../../harness/faults/plan-language/parameter.ts";
import { faultProfiles } from "../../../../harness/faults/profiles.ts";
import { faultRegistry } from "../../../../harness/faults/registry.ts";
import { randomStream } from "../../../../harness/random-stream.ts";

const counts = { nodes: 5, workers: 4, sentinels: 3 };
const explicit = (text: string, roundMs: number, seed = 1) => {
  const context = { faults: faultRegistry, topology: "replicated" as const, counts, roundMs, rounds: 3 };
  return expandFaults(readFaultPlan({ name: "--faults", text }, context), context, (entry) =>
    randomStream(seed, entry),
  );
};

test("names and aliases are given once", () => {
  const names = faultRegistry.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  const others = ["random", ...faultProfiles.map(({ name }) => name)];
  expect(names.filter((name) => others.includes(name))).toEqual([]);
});

describe.each(faultRegistry.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => {
  test("its data are in order: a summary, a target, defaults that read", () => {
    expect(fault.summary).toMatch(/[^.]$/);
    expect(fault.targets.length).toBeGreaterThan(0);
    for (const [name, parameter] of Object.entries(fault.parameters)) {
      expect(name).toMatch(/^[a-z][a-z0-9-]*$/i);
      expect(parameter.summary).toMatch(/[^.]$/);
      if (parameter.default !== undefined) readParameter(parameter, parameter.default);
      if (parameter.type === "enum") expect(parameter.values?.length).toBeGreaterThan(1);
      if (parameter.needs !== undefined) expect(fault.parameters).toHaveProperty(parameter.needs);
    }
  });
});

test.each(faultProfiles.map((profile) => [profile.name, profile] as const))(
  "the profile %s is made of faults that there are, and fits from its shortest round on",
  (name, { minRoundMs, summary }) => {
    expect(summary).toMatch(/[^.]$/);
    for (const roundMs of [Math.max(minRoundMs, 200), 5_000, 7_777, 30_000]) {
      const faults = explicit(name, roundMs);
      if (name !== "none") expect(faults.length).toBeGreaterThan(0);
      expect(explicit(formatFaults(faults, faultRegistry) || "none", roundMs)).toEqual(faults);
    }
  },
);

test("random plans of all faults there are can be printed and read back", () => {
  for (let seed = 0; seed < 150; seed += 1) {
    const faults = explicit("random(faults=4)", 5_000, seed);
    expect(explicit(formatFaults(faults, faultRegistry), 5_000)).toEqual(faults);
  }
});
