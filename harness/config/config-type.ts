import type { commonOptions } from "./common-options.ts";
import type { compareOptions } from "./compare-options.ts";
import type { convergeOptions } from "./converge-options.ts";
import type { lockOptions } from "./lock-options.ts";
import type { Option, OptionTable } from "./option.ts";

/** A value as it is written: durations, rates and distributions as text, such as `"15s"`. */
type Written = string | number | boolean;

/** What may stand for the options of a table. */
type Section<Table extends OptionTable> = {
  [Key in Exclude<keyof Table, "config" | "printConfig">]?: Table[Key] extends Option<infer Value>
    ? Value extends readonly unknown[]
      ? Written | readonly (Written | Readonly<Record<string, unknown>>)[]
      : Written
    : never;
};

/** The contents of `harness.config.ts`: options of every command at the top, those of one command under its name. */
export interface Config extends Section<typeof commonOptions> {
  seed?: number;
  lock?: Section<typeof lockOptions>;
  converge?: Section<typeof convergeOptions>;
  compare?: Omit<Section<typeof compareOptions>, "threshold"> & {
    /** Metric -> per cent: `{ p99: 15, "acquire.p50": 8 }`. */
    thresholds?: Readonly<Record<string, number | string>>;
  };
}

/** Types a configuration: `export default defineConfig({ lock: { ttl: "15s" } })`. */
export const defineConfig = (config: Config): Config => config;
