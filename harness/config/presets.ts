import type { Given } from "./resolve.ts";

/** A named set of values. They stand between the configuration file and the defaults. */
export interface Preset {
  name: string;
  summary: string;
  values: Readonly<Record<string, readonly string[]>>;
}

export const lockPresets: readonly Preset[] = [
  {
    name: "incident",
    summary: "5 workers and a Redis that stalls for 2 s: how many of them get one job?",
    // Jobs of up to 5 s under a visibility of 2 s are delivered at 0, 2 and 4 s: to three workers.
    values: {
      workers: ["5"],
      job: ["email"],
      jobTime: ["lognormal(p50=1s, p99=6s, max=5s)"],
      rate: ["600/min"],
      faults: ["incident"],
    },
  },
];

/** The values of `--preset`, as a source of options between the configuration file and the defaults. */
export function presetGiven(name: string): Given {
  const preset = lockPresets.find((candidate) => candidate.name === name);
  return { kind: "preset", nameOf: () => `--preset ${name}`, texts: preset?.values ?? {} };
}
