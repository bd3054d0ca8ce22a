import { flag, listOption, option } from "./option.ts";
import { oneOf, seed, shard, text, whole } from "./value-types.ts";

const tested = "Under test";
const course = "Course";

/** Options of `harness matrix`. The key is the key in the configuration file, the flag the same in kebab case. */
export const matrixOptions = {
  lock: listOption({
    group: tested,
    type: text("NAME|FILE"),
    whenAbsent: "every lock that ships",
    examples: ["set-nx", "./my-lock.ts"],
    summary: "Lock under test, by name or as a module of your own",
  }),
  scenario: listOption({
    group: tested,
    type: text("NAME"),
    whenAbsent: "every scenario",
    examples: ["slow-job", "pause-after-grant"],
    summary: "Scenario that the locks go through",
  }),
  selfTest: flag({
    group: tested,
    summary: "Test the checks: each broken lock must be found by its check, sound ones by none",
  }),
  repeat: option({ group: course, type: whole({ max: 1_000 }), default: "1", summary: "Times that each cell runs" }),
  seed: option({ group: course, type: seed, whenAbsent: "drawn", summary: "Seed of everything random in the plans" }),
  sideBySide: option({
    group: course,
    type: whole({ max: 256 }),
    whenAbsent: "4 for each core",
    summary: "Cells that run at once; most of a cell is waiting",
  }),
  shard: option({ group: course, type: shard, examples: ["2/5"], summary: "Run one of n equal parts of the cells" }),
  resume: option({
    group: course,
    type: text("DIR"),
    examples: ["harness-results/latest"],
    summary: "Go on with a matrix that was cut short: its locks, scenarios and seed, the cells that are missing",
  }),
  failOn: listOption({
    group: course,
    type: oneOf("broke", "hung", "unknown"),
    summary: "Verdicts that end it with exit code 1; locks that are broken on purpose do not count",
  }),
} as const;
