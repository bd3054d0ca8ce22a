import { expect, test } from "vitest";
import { lockTable } from "../../../../harness/cli/lock-request.ts";
import { replayCommand, shellQuote } from "../../../../harness/cli/replay-command.ts";
import { presetGiven } from "../../../../harness/config/presets.ts";
import { fromEnvironment, fromFlags, resolveOptions } from "../../../../harness/config/resolve.ts";

test("has what differs from the defaults, wherever it came from, and the seed", () => {
  const flags = fromFlags({
    jobTime: ["constant(3s)"],
    lock: ["set-nx", "./my lock.ts"],
    preset: ["incident"],
    redis: ["redis://user:secret@host:6379/0"],
    allowFaultsOnExternal: ["true"],
    json: ["true"],
    out: ["elsewhere"],
  });
  const sources = [flags, fromEnvironment(lockTable, { HARNESS_WORKERS: "6" }), presetGiven("incident")];
  expect(replayCommand("lock", lockTable, resolveOptions(lockTable, sources), { seed: 7 })).toBe(
    "npx harness lock --workers 6 --job-time 'constant(3s)' --lock set-nx --lock './my lock.ts' --preset incident " +
      "--allow-faults-on-external --redis 'redis://user:***@host:6379/0' --seed 7",
  );
});

test("quotes for the shell only what needs it", () => {
  expect(shellQuote("20/s")).toBe("20/s");
  expect(shellQuote("it's")).toBe("'it'\\''s'");
  expect(shellQuote("")).toBe("''");
});
