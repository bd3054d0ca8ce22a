import { defineConfig } from "vitest/config";

/** Unit tests that need a Redis server: its clients are under test. */
const onRedis = ["workloads/locks", "workloads/queues", "harness/lock/witness"].map(
  (folder) => `test/unit/${folder}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          exclude: onRedis,
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "unit-on-redis",
          sequence: { groupOrder: 1 },
          include: onRedis,
          globalSetup: ["test/redis-once.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "e2e",
          sequence: { groupOrder: 2 },
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/redis-once.ts", "test/e2e/build-once.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
