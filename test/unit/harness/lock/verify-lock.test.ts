import { expect, test } from "vitest";
import { verifyLock } from "../../../../harness/lock/verify-lock.ts";

const lock = {
  capabilities: { renewal: "none", fencing: "none", nodes: 1, client: "any" },
  acquire: () => {},
  release: () => {},
  redisKeys: (key: string): unknown => [{ node: 1, db: 0, key: `p:${key}` }],
  close: async () => {},
};
const verify = (over: object) => verifyLock({ ...lock, ...over }, "my.ts");
const saying = (over: object) => () => verify({ capabilities: { ...lock.capabilities, ...over } });
const naming = (redisKeys: (key: string) => unknown) => () => verify({ redisKeys });

test("a lock that keeps the contract is one", () => {
  expect(verify({})).toMatchObject({ capabilities: lock.capabilities });
  expect(verify({ capabilities: {} })).toBeDefined();
  expect(verify({ redisKeys: () => [] })).toBeDefined();
});

test.each([
  [{ renewal: "sometimes" }, 'renewal: "sometimes", and it has to be "auto" or "manual" or "none"'],
  [{ fencing: 1 }, 'fencing: 1, and it has to be "atomic" or "non-atomic" or "none"'],
  [{ lease: null }, 'lease: null, and it has to be "ttl" or "connection" or "never"'],
  [{ nodes: "many" }, 'nodes: "many", and it has to be a number from 1'],
  [{ nodes: 0 }, "nodes: 0, and it has to be a number from 1"],
  [{ nodes: Number.NaN }, "nodes: NaN, and it has to be a number from 1"],
  [{ client: 3 }, 'client: 3, and it has to be a text such as "ioredis 6"'],
  [{ decides: "no" }, 'decides: "no", and it has to be true or false'],
  [{ budgetMs: -1 }, "budgetMs: -1, and it has to be a number of ms above 0"],
])("capabilities that say %j are refused, with the value and what may stand there", (over, flaw) => {
  expect(saying(over)).toThrow(`the \`capabilities\` of my.ts say ${flaw}`);
});

test("manual renewal takes an extend", () => {
  expect(saying({ renewal: "manual" })).toThrow("my.ts says that renewal is manual, and makes a lock without `extend`");
});

test.each([
  [
    () => {
      throw new Error("boom");
    },
    "redisKeys of my.ts threw: boom",
  ],
  [() => "k1", 'redisKeys of my.ts returned "k1"; it has to return a list of { node, db, key }'],
  [() => undefined, "redisKeys of my.ts returned nothing; it has to return a list of { node, db, key }"],
  [async () => [], "redisKeys of my.ts returned a promise; it has to return a list of { node, db, key }"],
  [() => ["k1"], 'redisKeys of my.ts returned ["k1"]; it has to return a list of { node, db, key }'],
  [
    () => [{ node: 0, db: 0, key: "k" }],
    'redisKeys of my.ts returned [{"node":0,"db":0,"key":"k"}]; nodes count from 1',
  ],
])("what redisKeys gives is looked at: %s", (redisKeys, flaw) => {
  expect(naming(redisKeys)).toThrow(flaw);
});
