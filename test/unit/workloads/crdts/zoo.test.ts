import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { crdtRegistry } from "../../../../workloads/crdts/registry.ts";
import { exchange, loadAdapter, sites, someOperations } from "./fixture.ts";

const broken = crdtRegistry.filter(({ family }) => family === "broken");

describe("the zoo", () => {
  it("is listed whole: every file of the folder, and nothing else", () => {
    const folder = new URL("../../../../workloads/crdts/broken/", import.meta.url);
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(broken.map(({ name }) => `${name.replace("broken/", "")}.ts`).sort()).toEqual(
      files.map(({ name }) => name).sort(),
    );
    expect(broken.length).toBeGreaterThanOrEqual(57);
  });

  it.each(broken.map(({ name }) => name))("%s says of itself what the registry says of it, and runs", async (name) => {
    const entry = broken.find((each) => each.name === name);
    const adapter = await loadAdapter(name);
    expect(adapter.name).toBe(name);
    expect(adapter.broken).toEqual({ wrongThought: entry?.summary, caughtBy: entry?.caughtBy });
    const all = sites(adapter);
    for (const each of someOperations(adapter)) for (const { replica } of all) replica.apply(each);
    if (adapter.encodings.some(({ kind }) => kind === "full")) exchange(adapter, all);
    for (const { replica } of all) expect(replica.value()).toBeTypeOf("object");
  });
});
