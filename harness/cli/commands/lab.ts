import { createInterface } from "node:readline";
import { findScenes, type LabScene, labScenes } from "../../../workloads/lab/registry.ts";
import { renderLab, renderLabSteps } from "../../../workloads/lab/render.ts";
import { didYouMean } from "../../config/nearest.ts";
import { flag } from "../../config/option.ts";
import { UsageError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import type { CommandIo } from "../io.ts";

const group = "Output";

export const command = defineCommand({
  name: "lab",
  summary: "The replica lesson, step by step: two regions, a broken link, and what becomes of the orders",
  positionals: [
    {
      name: "SCENE",
      summary: `Scenes to play: ${labScenes.map(({ id }) => id).join(", ")}; all of them by default`,
      many: true,
    },
  ],
  options: {
    step: flag({ group, summary: "Wait for Enter after each step; q leaves" }),
    json: flag({ group, summary: "One JSON document" }),
    color: flag({ group, default: "true", summary: "No colours (NO_COLOR and FORCE_COLOR count too)" }),
  },
  examples: [
    { command: "lab", does: "the whole lesson" },
    { command: "lab 1 2", does: "whole rows lose two orders and a tag; the document keeps them" },
    { command: "lab 5 --step", does: "overselling, uniqueness and a clock an hour ahead, one step at a time" },
  ],
  async run({ options: { values }, positionals }, io) {
    const scenes = positionals.length === 0 ? labScenes : positionals.flatMap(scenesNamed);
    if (values.json) {
      io.stdout(
        `${JSON.stringify(
          scenes.map((scene) => scene.play()),
          null,
          2,
        )}\n`,
      );
      return 0;
    }
    if (values.step) await playStepwise(scenes, io);
    else for (const scene of scenes) io.stdout(renderLab(scene.play(), renderOptions(io)));
    return 0;
  },
});

function scenesNamed(id: string): readonly LabScene[] {
  const scenes = findScenes(id);
  if (scenes.length > 0) return scenes;
  throw new UsageError(
    `There is no scene "${id}".${didYouMean(
      id,
      labScenes.map((scene) => scene.id),
    )}`,
    { code: "UNKNOWN_NAME" },
  );
}

/** Each line of stdin asks for the next step; without more of it, the rest follows at once. */
async function playStepwise(scenes: readonly LabScene[], io: CommandIo): Promise<void> {
  const lines = createInterface({ input: process.stdin, signal: io.signal });
  const next = lines[Symbol.asyncIterator]();
  try {
    for (const scene of scenes) {
      for (const step of renderLabSteps(scene.play(), renderOptions(io))) {
        io.stdout(`${step}\n`);
        const { value, done } = await next.next();
        if (io.signal.aborted || (!done && value.trim().toLowerCase() === "q")) return;
      }
    }
  } finally {
    lines.close();
  }
}

const renderOptions = (io: CommandIo) => ({ color: io.colour.stdout, width: io.width });
