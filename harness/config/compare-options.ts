import type { ValueType } from "./option.ts";
import { flag, listOption, type OptionTable, option } from "./option.ts";
import { UnitError } from "./units.ts";
import { duration, seed, text, whole } from "./value-types.ts";

const verdict = "Verdict";
const runs = "Run in turns";

/** A relative size from which a change of a metric counts: 0.1 for `acquire.p99=10`. */
export interface MetricThreshold {
  metric: string;
  share: number;
}

const metricThreshold: ValueType<MetricThreshold> = {
  argument: "METRIC=PCT",
  parse(written) {
    const [, metric = "", percent = ""] = /^\s*([\w.]+)\s*=\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(written) ?? [];
    if (metric === "")
      throw new UnitError(`"${written}" is no threshold; write one such as acquire.p99=15, in per cent.`);
    if (Number(percent) <= 0) throw new UnitError(`${written}: a threshold must be greater than 0.`);
    return { metric, share: Number(percent) / 100 };
  },
};

/** Options of `harness compare`. The key is the key in the configuration file, the flag the same in kebab case. */
export const compareOptions = {
  threshold: listOption({
    group: verdict,
    type: metricThreshold,
    inFile: { key: "thresholds", map: true },
    whenAbsent: "p50=5, p90=10, p99=10, others 5",
    examples: ["p99=15", "acquire.p50=8"],
    summary: "How much worse a metric may become before that counts, in per cent",
  }),
  strict: flag({ group: verdict, summary: "Inconclusive is no success: exit code 2" }),
  force: flag({ group: verdict, summary: "Compare results that are not comparable all the same" }),
  gateUnpaired: flag({
    group: verdict,
    summary: "Let two stored results fail on performance, although another moment may be another machine",
  }),

  run: flag({
    group: runs,
    summary: "Run both sides now, in turns: pairs of rounds, the only comparison that fails on performance by itself",
  }),
  calibrate: flag({
    group: runs,
    summary: "Run BASE against itself: this machine's noise, and the thresholds that hold here",
  }),
  common: option({
    group: runs,
    type: text("OPTIONS"),
    examples: ["'lock --rate 600 --faults none'", "'converge --crdt document'"],
    summary: "What both sides run, before what each adds; for two builds all there is to say",
  }),
  pairs: option({
    group: runs,
    type: whole({ max: 1_000 }),
    default: "12",
    summary: "Pairs of rounds; the first of several is warm-up",
  }),
  round: option({
    group: runs,
    type: duration(),
    whenAbsent: "5s for lock, 2s for converge, 100ms for each benchmark",
    summary: "Length of the load of one round",
  }),
  seed: option({
    group: runs,
    type: seed,
    whenAbsent: "drawn",
    summary: "Seed of the rounds; both sides of a pair have one",
  }),
} as const satisfies OptionTable;
