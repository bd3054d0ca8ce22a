import { defineConfig } from "vitest/config";

/** Unit tests that need a Redis server: its clients are under test. */
const onRedis = ["workloads/locks", "workloads/queues", "harness/lock/witness"].map(
  (folder) => `test/unit/${folder}/**/*.test.ts`,
);

/**
 * End-to-end tests that take a minute or so each: of the package as its users get it, of the pages, of many hosts and
 * machines, of every lock and every form of report. `npm run test:long` runs them.
 */
const long = [
  ...[
    "agents",
    "bench",
    "cli-compare",
    "container-engine",
    "docker",
    "documentation",
    "join",
    "lock-external",
    "locks",
  ],
  ...["package", "reports-in-browser", "use-from-code", "lock-sentinel", "lock-toxiproxy", "mutex-server"],
].map((name) => `test/e2e/${name}.test.ts`);

/** On two cores: most of the time of tests on servers is waiting, for leases to end and for processes to start. */
const maxWorkers = 3;

const onServers = { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers };

const onTheCommand = { ...onServers, globalSetup: ["test/redis-once.ts", "test/e2e/build-once.ts"] };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          exclude: onRedis,
          testTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          ...onServers,
          name: "unit-on-redis",
          include: onRedis,
          globalSetup: ["test/redis-once.ts"],
        },
      },
      {
        test: {
          ...onTheCommand,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: long,
        },
      },
      { test: { ...onTheCommand, name: "e2e-long", sequence: { groupOrder: 1 }, include: long } },
    ],
  },
});
