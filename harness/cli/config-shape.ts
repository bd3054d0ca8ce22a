import { benchOptions } from "../config/bench-options.ts";
import { commonOptions } from "../config/common-options.ts";
import { compareOptions } from "../config/compare-options.ts";
import type { ConfigShape } from "../config/config-file.ts";
import { convergeOptions } from "../config/converge-options.ts";
import { lockOptions } from "../config/lock-options.ts";
import { matrixOptions } from "../config/matrix-options.ts";

/** What a configuration file may hold: the options of every command that reads one. */
export const configShape: ConfigShape = {
  common: commonOptions,
  sections: {
    lock: lockOptions,
    matrix: matrixOptions,
    converge: convergeOptions,
    compare: compareOptions,
    bench: benchOptions,
  },
  shared: ["seed"],
};
