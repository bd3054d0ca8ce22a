import { expect, test } from "vitest";
import { effectOf } from "../../../../harness/checks/redis-commands.ts";

const read = (text: string, serverMs = 1000) => {
  const [name = "", ...args] = text.split(" ");
  return effectOf(name, args, serverMs);
};
const write = (over: Record<string, unknown>) => ({
  kind: "write",
  onlyIf: "any",
  value: "v",
  ttlMs: null,
  keepsTtl: false,
  ...over,
});

test.each([
  ["SET k v", write({})],
  ["SET k v NX PX 500", write({ onlyIf: "absent", ttlMs: 500 })],
  ["SET k v EX 2 XX", write({ onlyIf: "present", ttlMs: 2000 })],
  ["SET k v PXAT 1800", write({ ttlMs: 800 })],
  ["SET k v EXAT 2", write({ ttlMs: 1000 })],
  ["SET k v KEEPTTL", write({ keepsTtl: true })],
  ["SET k v px 500 nx", write({ onlyIf: "absent", ttlMs: 500 })],
  ["SETNX k v", write({ onlyIf: "absent" })],
  ["GETSET k v", write({})],
  ["PSETEX k 500 v", write({ ttlMs: 500 })],
  ["SETEX k 2 v", write({ ttlMs: 2000 })],
  ["DEL k", { kind: "delete" }],
  ["UNLINK k", { kind: "delete" }],
  ["GETDEL k", { kind: "delete" }],
  ["PEXPIRE k 500", { kind: "expire", ttlMs: 500 }],
  ["EXPIRE k 2", { kind: "expire", ttlMs: 2000 }],
  ["PEXPIREAT k 1800", { kind: "expire", ttlMs: 800 }],
  ["EXPIREAT k 2", { kind: "expire", ttlMs: 1000 }],
  ["PERSIST k", { kind: "expire", ttlMs: null }],
  ["FLUSHDB", { kind: "flush" }],
  ["GET k", undefined],
  ["EVALSHA abc 1 k v", undefined],
])("%s", (text, effect) => {
  expect(read(text)).toEqual(effect);
});
