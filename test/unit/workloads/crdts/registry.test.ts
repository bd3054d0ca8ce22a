import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { crdtRegistry } from "../../../../workloads/crdts/registry.ts";
import { exchange, exportFull, loadAdapter, sites, someOperations } from "./fixture.ts";

describe("the registry of CRDTs", () => {
  it("names each once, and modules that exist", () => {
    expect(new Set(crdtRegistry.map(({ name }) => name)).size).toBe(crdtRegistry.length);
    for (const { module } of crdtRegistry) {
      expect(existsSync(new URL(`../../../../workloads/${module}.ts`, import.meta.url)), module).toBe(true);
    }
  });
});

describe.each(crdtRegistry.filter(({ family }) => family !== "broken").map(({ name }) => name))("%s", (name) => {
  it("carries out operations, and every region shows them after an exchange", async () => {
    const adapter = await loadAdapter(name);
    const all = sites(adapter);
    const [first] = all;
    const before = JSON.stringify(show(first?.replica.value()));
    const refusals = someOperations(adapter).map((each) => all.map(({ replica }) => replica.apply(each)));
    expect(refusals.flat()).toContain(undefined);
    exchange(adapter, all);
    exchange(adapter, all);
    const shown = all.map(({ replica }) => JSON.stringify(show(replica.value())));
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]).not.toBe(before);
    expect(adapter.name).toBe(name);
  });

  it("says of a write's price what the registry says", async () => {
    const { cost = "none" } = crdtRegistry.find((entry) => entry.name === name) ?? {};
    expect((await loadAdapter(name)).writesWaitFor ?? "none").toBe(cost);
  });

  it("shows the same after being saved and loaded, and after its messages went through the codec", async () => {
    const adapter = await loadAdapter(name);
    const [first, second] = sites(adapter);
    if (first === undefined || second === undefined) throw new Error("There are regions.");
    for (const each of someOperations(adapter)) first.replica.apply(each);
    const loaded = adapter.load(first.replica.save(), first.context, undefined);
    expect(show(loaded.value())).toEqual(show(first.replica.value()));
    const encoding = adapter.encodings.find(({ kind }) => kind === "full")?.name ?? "";
    const message = exportFull(first.replica, encoding);
    if (adapter.codec === undefined || message === undefined) return;
    expect(adapter.codec.decode(adapter.codec.encode(message))).toEqual(message);
  });

  it("takes every encoding that it lists", async () => {
    const adapter = await loadAdapter(name);
    for (const { name: encoding } of adapter.encodings) {
      const [first, second] = sites(adapter);
      if (first === undefined || second === undefined) throw new Error("There are regions.");
      let applied = 0;
      for (const each of someOperations(adapter)) if (first.replica.apply(each) === undefined) applied += 1;
      const since = second.replica.version?.();
      const message = first.replica.export(encoding, { peer: "cai", since, from: 0, to: applied });
      if (applied === 0) continue;
      expect(message, encoding).toBeDefined();
      expect(second.replica.receive(message), encoding).toBeUndefined();
      expect(show(second.replica.value()), encoding).toEqual(show(first.replica.value()));
    }
  });
});

/** Maps and sets as lists, so that JSON shows them. */
function show(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, part]) => [key, show(part)]);
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([key, part]) => [key, show(part)]);
}
