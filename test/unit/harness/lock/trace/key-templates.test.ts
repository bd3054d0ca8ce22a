import { describe, expect, test } from "vitest";
import type { PhysicalKey } from "../../../../../harness/contracts/lock-adapter.ts";
import { keyReader, templatesOf } from "../../../../../harness/lock/trace/key-templates.ts";

const lockOf = (...spell: ((key: string) => Partial<PhysicalKey> & { key: string })[]) => ({
  redisKeys: (key: string): PhysicalKey[] => spell.map((each) => ({ node: 1, db: 0, ...each(key) })),
});

describe("how a lock spells its keys", () => {
  test("is read from examples, and read back", () => {
    const templates = templatesOf(lockOf((key) => ({ key: `p:{${key}}:lock` })));
    expect(templates).toEqual([{ node: 1, db: 0, role: "lock", before: "p:{", after: "}:lock" }]);
    const read = keyReader(templates!, 1);
    expect(read(0, "p:{r1-j7}:lock")).toBe("r1-j7");
    expect([read(0, "p:{}:lock"), read(0, "p:{a}:fence"), read(1, "p:{a}:lock")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(keyReader(templates!, 2)(0, "p:{a}:lock")).toBeUndefined();
  });

  test("the most particular spelling counts: a counter is no lock", () => {
    const lock = lockOf(
      (key) => ({ key: `p:${key}` }),
      (key) => ({ key: `p:fence:${key}`, role: "counter" }),
    );
    const read = keyReader(templatesOf(lock)!, 1);
    expect([read(0, "p:a"), read(0, "p:fence:a")]).toEqual(["a", undefined]);
  });

  test("a counter that all keys share is left out, and takes nothing away from the lock's own key", () => {
    const lock = lockOf(
      (key) => ({ key: `p:${key}` }),
      () => ({ key: "counter", role: "counter" }),
    );
    expect(templatesOf(lock)).toEqual([{ node: 1, db: 0, role: "lock", before: "p:", after: "" }]);
  });

  test("each node of a quorum lock has its own", () => {
    const lock = { redisKeys: (key: string) => [1, 2].map((node) => ({ node, db: 0, key: `n${node}:${key}` })) };
    const templates = templatesOf(lock)!;
    expect([keyReader(templates, 1)(0, "n1:a"), keyReader(templates, 2)(0, "n1:a")]).toEqual(["a", undefined]);
  });

  test("a lock without keys has none; one that hashes them does not spell them out", () => {
    expect(templatesOf(lockOf())).toEqual([]);
    expect(templatesOf(lockOf((key) => ({ key: `p:${key.length}` })))).toBeUndefined();
    expect(templatesOf(lockOf((key) => ({ key: `p:${key.length}:${key}` })))).toBeUndefined();
  });
});
