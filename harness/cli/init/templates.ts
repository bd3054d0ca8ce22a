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
  converge: {
    crdt: ["./my-crdt.ts"],
    time: "10s",
  },
});
`;

const lock = `import { randomUUID } from "node:crypto";
import { defineLock, type LockContext } from "holdfast";
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

const capabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 6" } as const;

export default defineLock({ capabilities, createLock });
`;

const crdt = `import { defineCrdt, type CrdtAdapter, type Replica, type ReplicaContext } from "holdfast";

// Your replicated data type under test: wrap the one you have. The engine creates replicas, has them operate, exchange
// messages, crash and come back, and compares what they show with what they must show: here, the sum of all increments.
// \`harness converge --crdt ./my-crdt.ts\` runs it. To see it fail, let \`merge\` add instead of taking the greater.
type Slots = Readonly<Record<string, number>>;

interface State {
  readonly plus: Slots;
  readonly minus: Slots;
}

const sum = (slots: Slots) => Object.values(slots).reduce((total, count) => total + count, 0);

const add = (slots: Slots, id: string, count: number): Slots => ({ ...slots, [id]: (slots[id] ?? 0) + count });

function mergeSlots(ours: Slots, theirs: Slots): Slots {
  const merged: Record<string, number> = { ...ours };
  for (const [id, count] of Object.entries(theirs)) merged[id] = Math.max(merged[id] ?? 0, count);
  return merged;
}

const merge = (ours: State, theirs: State): State => ({
  plus: mergeSlots(ours.plus, theirs.plus),
  minus: mergeSlots(ours.minus, theirs.minus),
});

function replica({ id }: ReplicaContext<State>, state: State): Replica<State, State> {
  return {
    apply({ amount }) {
      const { plus, minus } = state;
      state = amount > 0 ? { plus: add(plus, id, amount), minus } : { plus, minus: add(minus, id, -amount) };
      return undefined;
    },
    export: () => state,
    receive(message) {
      state = merge(state, message);
      return undefined;
    },
    value: () => ({ stock: sum(state.plus) - sum(state.minus) }),
    save: () => state,
    state: () => state,
  };
}

const adapter: CrdtAdapter<State, State> = {
  name: "my-crdt",
  style: "immutable",
  fields: [{ name: "stock", type: "counter" }],
  encodings: [{ name: "state", kind: "full" }],
  create: (context) => replica(context, { plus: {}, minus: {} }),
  load: (saved, context) => replica(context, saved),
};

export default defineCrdt({ createAdapter: () => adapter });
`;

const workflow = `name: Locks and replicas

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  harness:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
          cache: npm
      - run: npm ci
      # Exit code 1: a lock failed, or replicas did not converge. 2: the run could not have shown it, since the control
      # broke too seldom: give it more --duration, or job times beyond the visibility timeout.
      # A fixed seed plays the same jobs and faults in every build. For new ones each day: --seed $(date +%Y%m%d).
      - run: npx harness lock --seed 7 --reporter terminal,html,markdown,github
      - run: npx harness converge --seed 7 --reporter terminal,html,markdown,github
        if: always()
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: harness-results
          path: harness-results
`;

export const templates: readonly Template[] = [
  { path: "harness.config.ts", does: "the configuration", contents: configuration },
  { path: "my-lock.ts", does: "a lock of your own, to begin with", contents: lock },
  { path: "my-crdt.ts", does: "a replicated data type of your own, to begin with", contents: crdt },
  { path: ".github/workflows/harness.yml", does: "runs both on pull requests and on main", contents: workflow },
];
