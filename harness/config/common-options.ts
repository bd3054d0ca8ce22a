import { flag, listOption, option } from "./option.ts";
import { text } from "./value-types.ts";

const group = "Output and configuration";

/** Options of every command that runs something. In a configuration file they stand at the top. */
export const commonOptions = {
  out: option({
    group,
    type: text("DIR"),
    default: "harness-results",
    summary: "Folder for results; each run makes its own folder in it",
  }),
  json: flag({ group, summary: "Print the result as one JSON document on stdout" }),
  reporter: listOption({
    group,
    type: text("NAME|FILE"),
    default: ["terminal", "html"],
    summary: "Reports to make, by name or by a module of your own",
  }),
  config: option({
    group,
    type: text("FILE"),
    whenAbsent: "harness.config.{ts,js,json}, or harness in package.json",
    summary: "Configuration file",
  }),
  printConfig: flag({ group, summary: "Print every value and where it comes from, and stop" }),
  dryRun: flag({ group, summary: "Print the explicit plan and stop; nothing is started" }),
  quiet: flag({ group, summary: "No progress, only the outcome" }),
  color: flag({ group, default: "true", summary: "No colours (NO_COLOR and FORCE_COLOR count too)" }),
} as const;
