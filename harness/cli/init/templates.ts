/** The files of `harness init`, by their path. */
export interface Template {
  path: string;
  does: string;
  contents: string;
}

const configuration = `import { defineConfig } from "holdfast";

// A flag goes before a HARNESS_* variable, that before this file, that before the defaults.
// \`harness lock --print-config\` shows every value and where it comes from.
export default defineConfig({
  lock: {
    lock: ["set-nx", "./my-lock.ts"],
    ttl: "15s",
    workers: 4,
    rate: "1200/min",
    faults: "article",
  },
});
`;

const lock = `import { randomUUID } from "node:crypto";
import type { LockContext, LockModule } from "holdfast";
import { Redis } from "ioredis";

// Your lock under test: wrap the one you have. It is made once in each worker process; what the fields mean stands in
// the types. \`harness lock --lock ./my-lock.ts\` runs it.
const releaseOwn = \`if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0\`;

function createLock({ nodes, keyPrefix, commandTimeoutMs }: LockContext) {
  const [node] = nodes;
  if (!node) throw new Error("This lock needs one Redis node.");
  const { host, port, db, username, password, localAddress } = node;
  const redis = new Redis({
    ...{ host, port, db },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Lets a partition tell workers apart; leave it out if your client cannot bind to an address.
    ...(localAddress === undefined ? {} : { localAddress }),
    ...(commandTimeoutMs === undefined ? {} : { commandTimeout: commandTimeoutMs }),
  });
  // Errors come back from the commands; without a listener the client prints them as well.
  redis.on("error", () => {});
  const redisKey = (key: string) => \`\${keyPrefix}lock:\${key}\`;
  return {
    capabilities,
    async acquire(key: string, ttlMs: number) {
      const token = randomUUID();
      try {
        const reply = await redis.set(redisKey(key), token, "PX", ttlMs, "NX");
        return reply === "OK" ? ({ outcome: "granted", token } as const) : ({ outcome: "refused" } as const);
      } catch (error) {
        // No answer: the lock may have been taken all the same.
        return { outcome: "indeterminate", error } as const;
      }
    },
    async release(key: string, token: string) {
      try {
        const deleted = await redis.eval(releaseOwn, 1, redisKey(key), token);
        return { outcome: deleted === 1 ? "released" : "not-owner" } as const;
      } catch (error) {
        return { outcome: "unknown", error } as const;
      }
    },
    redisKeys: (key: string) => [{ node: 1, db, key: redisKey(key) }],
    async close() {
      redis.disconnect();
    },
  };
}

const capabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 5" } as const;

const module: LockModule = { capabilities, createLock };
export default module;
`;

const workflow = `name: Locks

on: [push, pull_request]

jobs:
  locks:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      # Exit code 1: a lock failed; 2: the run could not have shown it.
      - run: npx harness lock --seed 7
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: harness-results
          path: harness-results
`;

export const templates: readonly Template[] = [
  { path: "harness.config.ts", does: "the configuration", contents: configuration },
  { path: "my-lock.ts", does: "a lock of your own, to begin with", contents: lock },
  { path: ".github/workflows/locks.yml", does: "runs it on every push", contents: workflow },
];
