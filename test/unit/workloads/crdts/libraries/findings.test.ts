import * as automerge from "@automerge/automerge";
import { type JsonSchema, LoroDoc } from "loro-crdt";
import { describe, expect, it } from "vitest";
import * as yjs from "yjs";

// What campaigns found in the libraries, each against the library alone. These tests say what the libraries do, not what
// they should do: one that fails after an update is good news, and the adapter may ask more of the library from then on.

describe("automerge 3.5", () => {
  type Content = { map: Record<string, unknown> };
  const base = automerge.from<Content>({ map: {} }, { actor: "aa" });
  const replica = (actor: string) => automerge.clone(base, { actor });
  const set = (doc: automerge.Doc<Content>, key: string, value: unknown) =>
    automerge.change(doc, (draft) => {
      draft.map[key] = value;
    });
  const remove = (doc: automerge.Doc<Content>, key: string) =>
    automerge.change(doc, (draft) => {
      delete draft.map[key];
    });

  it.each([
    ["a number", 1, 2, 1],
    ["a text", "a", "c", "ca"],
  ])("shows a stale value when a deletion uncovers a concurrent one: %s", (_, first, second, stale) => {
    const a = set(set(replica("01"), "other", 0), "key", first);
    const b = remove(automerge.merge(replica("02"), a), "key");
    const c = automerge.merge(set(replica("03"), "key", second), b);
    const merged = automerge.merge(automerge.clone(a, { actor: "04" }), c);
    expect(automerge.getHeads(merged)).toEqual(automerge.getHeads(c));
    expect(c.map.key).toBe(second);
    expect(automerge.load<Content>(automerge.save(merged)).map.key).toBe(second);
    expect(merged.map.key).toBe(stale);
  });

  it("takes writing the value that is there for no operation, so that a concurrent deletion takes it away", () => {
    const a = set(replica("01"), "key", true);
    const b = remove(automerge.merge(replica("02"), a), "key");
    const again = set(a, "key", true);
    expect(automerge.getHeads(again)).toEqual(automerge.getHeads(a));
    expect(automerge.merge(again, b).map).toEqual({});
  });

  it("refuses undefined and __proto__", () => {
    expect(() => set(replica("01"), "key", undefined)).toThrow("undefined");
    expect(() => set(replica("01"), "__proto__", 1)).toThrow("__proto__");
  });
});

describe("yjs 13.6", () => {
  it("has equal state vectors for documents of which one has seen a deletion", () => {
    const [a, b] = [new yjs.Doc(), new yjs.Doc()];
    a.getMap("map").set("key", 1);
    yjs.applyUpdate(b, yjs.encodeStateAsUpdate(a));
    a.getMap("map").delete("key");
    expect(yjs.encodeStateVector(a)).toEqual(yjs.encodeStateVector(b));
    expect(b.getMap("map").size).toBe(1);
    yjs.applyUpdate(b, yjs.encodeStateAsUpdate(a, yjs.encodeStateVector(b)));
    expect(b.getMap("map").size).toBe(0);
  });

  it("shows half a surrogate pair where it was written, and a replacement character elsewhere", () => {
    const [a, b] = [new yjs.Doc(), new yjs.Doc()];
    a.getMap("map").set("key", "\ud800");
    yjs.applyUpdate(b, yjs.encodeStateAsUpdate(a));
    expect([a, b].map((doc) => doc.getMap("map").get("key"))).toEqual(["\ud800", "\ufffd"]);
  });

  it("applies an operation whose causes are missing, if its neighbours are there", () => {
    const [a, b, c] = [new yjs.Doc(), new yjs.Doc(), new yjs.Doc()];
    a.getMap("map").set("cause", 1);
    yjs.applyUpdate(b, yjs.encodeStateAsUpdate(a));
    let update: Uint8Array = new Uint8Array();
    b.on("update", (made: Uint8Array) => {
      update = made;
    });
    b.getMap("map").set("effect", 2);
    yjs.applyUpdate(c, update);
    expect(c.getMap("map").toJSON()).toEqual({ effect: 2 });
  });
});

describe("loro 1.17", () => {
  it("loses NaN on the way through its JSON updates, so that two documents differ for ever", () => {
    const [a, b] = [new LoroDoc(), new LoroDoc()];
    a.getMap("map").set("key", Number.NaN);
    a.commit();
    b.importJsonUpdates(JSON.parse(JSON.stringify(a.exportJsonUpdates())) as JsonSchema);
    b.import(a.export({ mode: "snapshot" }));
    expect(b.version().toJSON()).toEqual(a.version().toJSON());
    expect([a, b].map((doc) => doc.getMap("map").get("key"))).toEqual([Number.NaN, null]);
  });

  it("takes writing the value that is there for no operation", () => {
    const doc = new LoroDoc();
    doc.getMap("map").set("key", 1);
    doc.commit();
    const before = doc.version().toJSON();
    doc.getMap("map").set("key", 1);
    doc.commit();
    expect(doc.version().toJSON()).toEqual(before);
  });
});
