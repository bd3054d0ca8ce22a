import type { benchOptions } from "./bench-options.ts";
import type { commonOptions } from "./common-options.ts";
import type { compareOptions } from "./compare-options.ts";
import type { convergeOptions } from "./converge-options.ts";
import type { lockOptions } from "./lock-options.ts";
import type { matrixOptions } from "./matrix-options.ts";
import type { Option, OptionTable } from "./option.ts";

/** One value as it is written: words as they are, numbers also as text, all else (durations, rates) as on the command line. */
type Written<Value> = Value extends boolean
  ? boolean
  : Value extends string
    ? Value
    : Value extends number
      ? number | string
      : string | number;

/** Faults may be written as they stand in a YAML or JSON plan. */
type WrittenFault = string | Readonly<Record<string, unknown>>;

/** What may stand for the options of a table. */
export type Section<Table extends OptionTable> = {
  readonly [Key in Exclude<keyof Table, "config" | "printConfig">]?: Key extends "faults"
    ? WrittenFault | readonly WrittenFault[]
    : Table[Key] extends Option<infer Value>
      ? Value extends readonly (infer One)[]
        ? Written<One> | readonly Written<One>[]
        : Written<Exclude<Value, undefined>>
      : never;
};

/** The contents of `harness.config.ts`: options of every command at the top, those of one command under its name. */
export interface Config extends Section<typeof commonOptions> {
  readonly seed?: number;
  readonly lock?: Section<typeof lockOptions>;
  readonly matrix?: Section<typeof matrixOptions>;
  readonly converge?: Section<typeof convergeOptions>;
  readonly bench?: Section<typeof benchOptions>;
  readonly compare?: Omit<Section<typeof compareOptions>, "threshold"> & {
    /** Metric -> per cent: `{ p99: 15, "acquire.p50": 8 }`. */
    readonly thresholds?: Readonly<Record<string, number | string>>;
  };
}

/** Types a configuration: `export default defineConfig({ lock: { ttl: "15s" } })`. */
export const defineConfig = (config: Config): Config => config;
