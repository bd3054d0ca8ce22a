import { createColors } from "picocolors";
import { lockOptions } from "../../config/lock-options.ts";
import { flag, listOption } from "../../config/option.ts";
import { redisUrl, text } from "../../config/value-types.ts";
import { UsageError } from "../../errors.ts";
import { isRunName } from "../../redis/leftover-runs.ts";
import { defineCommand } from "../command.ts";
import { examineExternal } from "../doctor/external.ts";
import type { DoctorFinding } from "../doctor/finding.ts";
import { examineMachine, examineNode, examinePorts } from "../doctor/machine.ts";
import { examineRedis } from "../doctor/redis.ts";
import { examineNoise, examineTimers } from "../doctor/timing.ts";
import { toolFacts } from "../version.ts";
import { wrap } from "../wrap.ts";

const group = "Output";
const servers = "Redis";

export const command = defineCommand({
  name: "doctor",
  summary: "Is this machine ready? Redis or how to get it, ports, timers, noise",
  options: {
    redis: listOption({
      group: servers,
      type: redisUrl,
      examples: ["redis://127.0.0.1:6379/3"],
      summary: "Look at these servers too: can a run use them, and do keys of earlier runs lie there",
    }),
    removeKeysOf: listOption({
      group: servers,
      type: text("RUN"),
      examples: ["lock-20260131T120005Z-3f9a1c"],
      summary: "Remove the keys that this run has left on the servers of --redis, and no others",
    }),
    redisBin: lockOptions.redisBin,
    json: flag({ group, summary: "One JSON document" }),
    color: flag({ group, default: "true", summary: "No colours (NO_COLOR and FORCE_COLOR count too)" }),
  },
  examples: [
    { command: "doctor", does: "looks at this machine; fetches a private Redis where there is none" },
    {
      command: "doctor --redis redis://127.0.0.1:6379",
      does: "looks at a server of yours too, and for what a killed run may have left there",
    },
    { command: "doctor --json", does: "the same for a program" },
  ],
  async run({ options: { values } }, io) {
    const { redis, removeKeysOf } = values;
    refuseUnknownRuns(removeKeysOf, redis);
    const tool = toolFacts();
    const findings = [
      examineNode(),
      await examineRedis(values.redisBin, (line) => io.progress.note(line)),
      ...(await Promise.all(redis.map((url) => examineExternal(url, { removeKeysOf })))),
      await examinePorts(),
      examineMachine(),
      await examineTimers(),
      examineNoise(),
    ];
    const ready = findings.every(({ state }) => state !== "missing");
    if (values.json) io.stdout(`${JSON.stringify({ ready, tool, findings }, null, 2)}\n`);
    else io.stdout(formatFindings(findings, { colour: io.colour.stdout, width: io.width, version: tool.version }));
    return ready ? 0 : 69;
  },
});

function refuseUnknownRuns(runs: readonly string[], redis: readonly string[]): void {
  const unknown = runs.find((run) => !isRunName(run));
  if (unknown !== undefined) {
    throw new UsageError(
      `--remove-keys-of ${unknown}: a run is called as its folder is, like lock-20260131T120005Z-3f9a1c; harness doctor --redis URL tells which have left keys.`,
      { code: "BAD_VALUE" },
    );
  }
  if (runs.length > 0 && redis.length === 0) {
    throw new UsageError("--remove-keys-of needs --redis URL: the server on which the keys are.", {
      code: "IMPOSSIBLE",
    });
  }
}

function formatFindings(
  findings: readonly DoctorFinding[],
  { colour, width, version }: { colour: boolean; width: number; version: string },
): string {
  const { green, yellow, red } = createColors(colour);
  const marks = { fine: green("ok     "), mind: yellow("mind   "), missing: red("missing") };
  const lines = findings.flatMap(({ topic, state, text }) => {
    const [first = "", ...rest] = text.split("\n").flatMap((line) => wrap(line, width - 19));
    return [`${marks[state]}  ${topic.padEnd(8)}  ${first}`, ...rest.map((line) => " ".repeat(19) + line)];
  });
  const verdict = findings.some(({ state }) => state === "missing") ? "Not ready yet." : "Ready: harness lock";
  return `harness ${version}\n\n${lines.join("\n")}\n\n${verdict}\n`;
}
