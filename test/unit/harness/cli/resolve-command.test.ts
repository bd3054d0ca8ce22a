import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import type { Command } from "../../../../harness/cli/command.ts";
import { command } from "../../../../harness/cli/commands/converge.ts";
import { resolveCommand } from "../../../../harness/cli/resolve-command.ts";

const warningsWith = async (environment: Record<string, string>) =>
  (await resolveCommand(command as Command, [], { environment, cwd: tmpdir() })).warnings;

test("a variable that no command reads is told, with the nearest that one does", async () => {
  expect(await warningsWith({ HARNESS_SCHEDULE: "64", PATH: "/bin" })).toEqual([
    "Warning: the environment has HARNESS_SCHEDULE, and no command reads it. Did you mean HARNESS_SCHEDULES?",
  ]);
});

test("variables of any command, and empty ones, are nothing to tell", async () => {
  const environment = { HARNESS_SEED: "7", HARNESS_WORKERS: "4", HARNESS_JOIN_TOKEN: "x", HARNESS_BOGUS: " " };
  expect(await warningsWith(environment)).toEqual([]);
});

test("of many that another program sets, the first are told and the others counted", async () => {
  const names = ["ACCOUNT_NR", "BUILD_NR", "ORG_NR", "PIPELINE_NR", "STAGE_NR"];
  const warnings = await warningsWith(Object.fromEntries(names.map((name) => [`HARNESS_${name}`, "1"])));
  expect(warnings).toHaveLength(4);
  expect(warnings.at(-1)).toBe("Warning: 2 more such variables are not read either.");
});
