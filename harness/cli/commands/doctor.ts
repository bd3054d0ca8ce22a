import { createColors } from "picocolors";
import { lockOptions } from "../../config/lock-options.ts";
import { flag } from "../../config/option.ts";
import { defineCommand } from "../command.ts";
import type { DoctorFinding } from "../doctor/finding.ts";
import { examineMachine, examineNode, examinePorts } from "../doctor/machine.ts";
import { examineRedis } from "../doctor/redis.ts";
import { examineNoise, examineTimers } from "../doctor/timing.ts";
import { toolFacts } from "../version.ts";
import { wrap } from "../wrap.ts";

const group = "Output";

export const command = defineCommand({
  name: "doctor",
  summary: "Is this machine ready? Redis or how to get it, ports, timers, noise",
  options: {
    redisBin: lockOptions.redisBin,
    json: flag({ group, summary: "One JSON document" }),
    color: flag({ group, default: "true", summary: "No colours (NO_COLOR and FORCE_COLOR count too)" }),
  },
  examples: [
    { command: "doctor", does: "looks at this machine; fetches a private Redis where there is none" },
    { command: "doctor --json", does: "the same for a program" },
  ],
  async run({ options: { values } }, io) {
    const tool = toolFacts();
    const findings = [
      examineNode(),
      await examineRedis(values.redisBin, (line) => io.progress.note(line)),
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
