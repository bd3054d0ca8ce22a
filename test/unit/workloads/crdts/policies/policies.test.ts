import { describe, expect, it } from "vitest";
import type { CrdtAdapter } from "../../../../../harness/contracts/crdt-adapter.ts";
import { homeOfKey } from "../../../../../workloads/crdts/types/home-region.ts";
import { exchange, loadAdapter, operation, REGIONS, type Site, sites } from "../fixture.ts";

interface Row {
  fields: Map<string, unknown>;
  counters: Map<string, number>;
  sets: Map<string, string[]>;
}

const rowOf = (site: Site | undefined) => site?.replica.value() as Row;

/** The mug of the lesson: Cairo's clock is 120 s behind, and both regions sell while the link is down. */
function sellTheMug(adapter: CrdtAdapter): [Site, Site] {
  const [frankfurt, cairo] = sites(adapter) as [Site, Site, Site];
  frankfurt.wall.ms = 220_000;
  cairo.wall.ms = 190_000;
  frankfurt.replica.apply(operation("set", { field: "fields", key: "price", value: 100 }));
  frankfurt.replica.apply(operation("increment", { field: "counters", key: "stock", amount: 10 }));
  frankfurt.replica.apply(operation("add", { field: "sets", key: "tags", element: "new" }));
  exchange(adapter, [frankfurt, cairo]);
  frankfurt.wall.ms += 10;
  frankfurt.replica.apply(operation("set", { field: "fields", key: "price", value: 120 }));
  frankfurt.replica.apply(operation("increment", { field: "counters", key: "stock", amount: -1 }));
  cairo.wall.ms += 20;
  cairo.replica.apply(operation("increment", { field: "counters", key: "stock", amount: -2 }));
  cairo.replica.apply(operation("add", { field: "sets", key: "tags", element: "sale" }));
  exchange(adapter, [frankfurt, cairo]);
  return [frankfurt, cairo];
}

const summary = (site: Site) => {
  const { fields, counters, sets } = rowOf(site);
  return [fields.get("price"), counters.get("stock"), sets.get("tags")];
};

describe("the policies of databases", () => {
  it("row-lww loses the whole row of the slower clock", async () => {
    expect(sellTheMug(await loadAdapter("row-lww")).map(summary)).toEqual([
      [120, 9, ["new"]],
      [120, 9, ["new"]],
    ]);
  });

  it("row-handler agrees on what its handler says, which is not what happened", async () => {
    expect(sellTheMug(await loadAdapter("row-handler")).map(summary)).toEqual([
      [120, 8, ["new", "sale"]],
      [120, 8, ["new", "sale"]],
    ]);
  });

  it("row-handler with a handler that is not commutative leaves the regions apart", async () => {
    const [frankfurt, cairo] = sellTheMug(await loadAdapter("row-handler", { handler: "remote-first" }));
    expect(summary(frankfurt)).not.toEqual(summary(cairo));
    await expect(loadAdapter("row-handler", { handler: "mine" })).rejects.toThrow("careful and remote-first");
  });

  it("field-lww keeps both fields and loses a sale", async () => {
    for (const row of sellTheMug(await loadAdapter("field-lww")).map(summary)) {
      expect(row[0]).toBe(120);
      expect([8, 9]).toContain(row[1]);
    }
  });

  it("crdt-document keeps everything", async () => {
    expect(sellTheMug(await loadAdapter("crdt-document")).map(summary)).toEqual([
      [120, 7, ["new", "sale"]],
      [120, 7, ["new", "sale"]],
    ]);
  });

  it("home-region refuses elsewhere", async () => {
    const all = sites(await loadAdapter("home-region"));
    const home = homeOfKey("price", REGIONS);
    const write = operation("set", { field: "fields", key: "price", value: 120 });
    expect(all.map(({ replica }) => replica.apply(write))).toEqual(
      REGIONS.map((region) => (region === home ? undefined : "NOT_HOME")),
    );
  });

  it("consensus builds on the latest write of any region, and needs a majority", async () => {
    let cutOff = -1;
    const adapter = await loadAdapter("consensus");
    const all = sites(adapter, (from, to) => from !== cutOff && to !== cutOff);
    const sell = operation("increment", { field: "counters", key: "stock", amount: -1 });
    expect(all.map(({ replica }) => replica.apply(sell))).toEqual([undefined, undefined, undefined]);
    expect(rowOf(all[2]).counters.get("stock")).toBe(-3);
    cutOff = 1;
    expect(all.map(({ replica }) => replica.apply(sell))).toEqual([undefined, "NO_QUORUM", undefined]);
    exchange(adapter, all);
    expect(all.map((site) => rowOf(site).counters.get("stock"))).toEqual([-5, -5, -5]);
  });
});
