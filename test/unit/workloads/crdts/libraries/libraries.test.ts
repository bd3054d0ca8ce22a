import { describe, expect, it } from "vitest";
import { exportFull, loadAdapter, operation, type Site, sites } from "../fixture.ts";

const insert = (field: string, value: unknown, index = 0) => operation("insert", { field, value, index });
const asPlain = (site: Site) =>
  JSON.stringify(site.replica.value(), (_, part) => (part instanceof Map ? [...part] : part));

describe.each(["yjs", "automerge", "loro"])("%s", (name) => {
  it("makes the same bytes in every run, its ids and times being given", async () => {
    const run = async () => {
      const adapter = await loadAdapter(name);
      const [first, second] = sites(adapter) as [Site, Site];
      first.replica.apply(operation("set", { field: "map", key: "a", value: 1 }));
      second.replica.apply(insert("text", "\u4e00"));
      second.replica.receive(exportFull(first.replica, adapter.encodings[0]?.name ?? ""));
      return JSON.stringify(exportFull(second.replica, adapter.encodings[0]?.name ?? ""));
    };
    expect(await run()).toBe(await run());
  });

  it("sends again, after a restart, the operations that it made before", async () => {
    const adapter = await loadAdapter(name);
    const [first, second] = sites(adapter) as [Site, Site];
    for (const value of [1, 2, 3]) first.replica.apply(insert("list", value));
    const restarted = adapter.load(first.replica.save(), first.context, undefined);
    const encodings = adapter.encodings.filter(({ kind }) => kind === "operations");
    for (const { name: encoding } of encodings) {
      second.replica.receive(restarted.export(encoding, { peer: "", since: undefined, from: 0, to: 3 }));
      expect(second.replica.value()).toEqual(restarted.value());
    }
  });

  it("shows an operation that came too early once its causes are there, a restart in between", async () => {
    const adapter = await loadAdapter(name);
    const [first, second] = sites(adapter) as [Site, Site];
    for (const value of [1, 2]) first.replica.apply(insert("list", value));
    const { name: encoding } = adapter.encodings.find(({ kind }) => kind === "operations") as { name: string };
    const part = (from: number, to: number) => first.replica.export(encoding, { peer: "", since: undefined, from, to });
    second.replica.receive(part(1, 2));
    const restarted = adapter.load(second.replica.save(), second.context, undefined);
    restarted.receive(part(0, 1));
    expect(restarted.value()).toEqual(first.replica.value());
  });

  it("has a version that tells whether two documents are in sync", async () => {
    const adapter = await loadAdapter(name);
    const [first, second] = sites(adapter) as [Site, Site];
    first.replica.apply(operation("set", { field: "map", key: "a", value: 1 }));
    second.replica.receive(exportFull(first.replica, adapter.encodings[0]?.name ?? ""));
    expect(second.replica.version?.()).toEqual(first.replica.version?.());
    first.replica.apply(operation("delete", { field: "map", key: "a" }));
    expect(second.replica.version?.()).not.toEqual(first.replica.version?.());
    expect(asPlain(second)).not.toBe(asPlain(first));
  });
});
