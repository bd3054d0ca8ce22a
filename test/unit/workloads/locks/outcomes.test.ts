import { ReplyError } from "ioredis";
import { expect, test } from "vitest";
import { acquireError, isServerRefusal, updateError } from "../../../../workloads/locks/outcomes.ts";

test.each([
  new ReplyError("READONLY You can't write against a read only replica."),
  new Error("OOM command not allowed when used memory > 'maxmemory'."),
  new Error("Failed to acquire lock: MISCONF Redis is configured to save RDB snapshots"),
  new Error("Script execution failed", { cause: new Error("LOADING Redis is loading the dataset in memory") }),
])("a server that answered with an error refused: %s", (error) => {
  expect(isServerRefusal(error)).toBe(true);
  expect(acquireError(error)).toEqual({ outcome: "failed", error });
  expect(updateError(error)).toEqual({ outcome: "failed", error });
});

test.each([
  new Error("Command timed out"),
  new Error("Connection is closed."),
  new Error("connect ECONNREFUSED 127.0.0.1:6379"),
  new Error("Failed to acquire lock: connect ECONNREFUSED 127.0.0.1:6379"),
  new Error("Redis connection to 127.0.0.1:6379 failed"),
  "a string",
])("without the server's word nobody knows: %s", (error) => {
  expect(isServerRefusal(error)).toBe(false);
  expect(acquireError(error)).toEqual({ outcome: "indeterminate", error });
  expect(updateError(error)).toEqual({ outcome: "unknown", error });
});
