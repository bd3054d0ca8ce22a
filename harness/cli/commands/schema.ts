import { z } from "zod";
import { configSchema } from "../../config/config-file.ts";
import { benchResultSchema } from "../../results/bench-schema.ts";
import { compareResultSchema } from "../../results/compare-schema.ts";
import { convergeResultSchema } from "../../results/converge-schema.ts";
import { lockResultSchema } from "../../results/lock-schema.ts";
import { matrixResultSchema } from "../../results/matrix-schema.ts";
import { defineCommand } from "../command.ts";
import { configShape } from "../config-shape.ts";

const schemas: Readonly<Record<string, () => z.ZodType>> = {
  lock: () => lockResultSchema,
  converge: () => convergeResultSchema,
  matrix: () => matrixResultSchema,
  bench: () => benchResultSchema,
  compare: () => compareResultSchema,
  config: () => configSchema(configShape),
};

export const command = defineCommand({
  name: "schema",
  summary: "The JSON Schema of a result or of the configuration file",
  positionals: [{ name: "WHAT", summary: "Which one", required: true, choices: Object.keys(schemas) }],
  options: {},
  examples: [
    { command: "schema lock > lock-result.schema.json", does: "the result of harness lock" },
    {
      command: "schema config > harness.config.schema.json",
      does: 'name it in "$schema" of harness.config.json, and the editor helps',
    },
  ],
  run({ positionals: [what = ""] }, io) {
    const schema = schemas[what]?.();
    io.stdout(`${JSON.stringify(schema && z.toJSONSchema(schema, { io: "input" }), null, 2)}\n`);
    return 0;
  },
});
