import { commandSelector } from "../command-selector.ts";
import { networkFault, textOf } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** The command is not forwarded, and an error takes the place of its reply. In a transaction the EXEC is aborted, as by Redis. */
export const errorReply = networkFault({
  name: "error-reply",
  summary: "A command is not forwarded; an error takes the place of its reply",
  parameters: {
    ...commandParameters,
    error: {
      type: "string",
      summary: "READONLY, OOM, LOADING, TRYAGAIN, MISCONF, BUSY, CLUSTERDOWN, or the whole text of an error",
      default: "READONLY",
    },
  },
  look: { colour: "network", pattern: "dots" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    const bytes = Buffer.from(`-${errorText(textOf(parameters, "error", "READONLY"))}\r\n`);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "answer", bytes } : undefined),
    });
  },
});

function errorText(given: string): string {
  const text = given.replace(/^-/, "").replaceAll(/[\r\n]+/g, " ");
  return redisTexts[text.toUpperCase()] ?? (text.includes(" ") ? text : `${text} injected`);
}

/** As Redis 7 words them. */
const redisTexts: Readonly<Record<string, string>> = {
  READONLY: "READONLY You can't write against a read only replica.",
  OOM: "OOM command not allowed when used memory > 'maxmemory'.",
  LOADING: "LOADING Redis is loading the dataset in memory",
  TRYAGAIN: "TRYAGAIN Multiple keys request during rehashing of slot",
  MISCONF:
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error.",
  BUSY: "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
  CLUSTERDOWN: "CLUSTERDOWN The cluster is down",
};
