import { lockOptions } from "./lock-options.ts";
import { option } from "./option.ts";
import { duration, whole } from "./value-types.ts";

const group = "Measurement";

/** Options of `harness bench`. The key is the key in the configuration file, the flag the same in kebab case. */
export const benchOptions = {
  time: option({ group, type: duration(), default: "100ms", summary: "Time for each benchmark in each round" }),
  rounds: option({
    group,
    type: whole({ max: 1_000 }),
    default: "10",
    summary: "Rounds; in each every benchmark runs once",
  }),
  redisBin: lockOptions.redisBin,
} as const;
