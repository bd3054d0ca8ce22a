import { expect, test } from "vitest";
import { type Command, defineCommand } from "../../../../harness/cli/command.ts";
import { parseArgv } from "../../../../harness/cli/parse-argv.ts";
import { flag, listOption, option } from "../../../../harness/config/option.ts";
import { text, whole } from "../../../../harness/config/value-types.ts";
import { UsageError } from "../../../../harness/errors.ts";

const group = "Test";
const command = defineCommand({
  name: "try",
  summary: "Tries",
  positionals: [{ name: "WHAT", summary: "what to try", required: true, choices: ["locks", "faults"] }],
  options: {
    jobTime: option({ group, summary: "Time", type: text("TIME") }),
    workers: option({ group, summary: "Workers", type: whole(), default: "4" }),
    lock: listOption({ group, summary: "Lock", type: text("NAME") }),
    quiet: flag({ group, summary: "Quiet" }),
    color: flag({ group, summary: "Colour", default: "true" }),
  },
  examples: [],
  run: () => 0,
}) as unknown as Command;

test("flags are read by key, each as often as it was given", () => {
  const argv = [
    "locks",
    "--job-time",
    "constant(3s)",
    "--lock=a",
    "--lock",
    "b",
    "--quiet",
    "--no-color",
    "--workers",
    "007",
  ];
  expect(parseArgv(command, argv)).toEqual({
    flags: { jobTime: ["constant(3s)"], lock: ["a", "b"], quiet: ["true"], color: ["false"], workers: ["007"] },
    positionals: ["locks"],
  });
});

test("what is given twice is handed on twice, for the option to refuse", () => {
  expect(parseArgv(command, ["locks", "--workers", "1", "--workers", "2"]).flags.workers).toEqual(["1", "2"]);
});

test.each([
  [["locks", "--wrokers", "4"], 'There is no option --wrokers for harness try. Did you mean "--workers"?'],
  [["locks", "--zzzzzz"], "There is no option --zzzzzz for harness try. `harness try --help` lists the options."],
  [["locks", "--jobTime", "3s"], 'Did you mean "--job-time"?'],
  [["locks", "-w", "4"], "There is no option -w for harness try."],
  [["locks", "--no-workers"], "There is no option --no-workers for harness try."],
  [["locks", "--workers"], "--workers needs a value."],
  [["locks", "--workers", "--quiet"], "--workers needs a value."],
  [["locks", "more"], '"more" is one too many: harness try takes WHAT.'],
  [["lokcs"], 'harness try does not know "lokcs". Did you mean "locks"?'],
  [[], "harness try needs WHAT: what to try, one of locks, faults."],
])("%j is refused", (argv, message) => {
  expect(() => parseArgv(command, argv)).toThrow(message);
  expect(() => parseArgv(command, argv)).toThrow(UsageError);
});

test("options in quotes are one word, as a positional and as a value", () => {
  const argv = ["--job-time", "--lock set-nx --ttl 2s", "--lock=--a b"];
  expect(
    parseArgv({ ...command, positionals: [{ name: "SIDE", summary: "a side" }] }, [...argv, "--lock set-nx"]),
  ).toEqual({
    flags: { jobTime: ["--lock set-nx --ttl 2s"], lock: ["--a b"] },
    positionals: ["--lock set-nx"],
  });
});
