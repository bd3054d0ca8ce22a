import type { Benchmark, Figure } from "../figure.ts";
import { type Race, race } from "./race.ts";

const EVENTS = 20;

/** The runner with its oracles against a loop that only compares values at the end, on the reference document. */
export const convergeRunner: Benchmark = {
  name: "converge: document",
  method: `schedules of ${EVENTS} events on 3 replicas of the immutable document, in one thread, against a bare hand-written loop over the same schedules; turns of 150 ms in processes of their own, processor time, medians`,
  async run() {
    const contestants = ["bare loop", "step tier", "default tiers"] as const;
    const places = await race({ module: "replicas/document", contestants, events: EVENTS, durationMs: 20_000 });
    const bare = places["bare loop"].perSecond;
    const of = (name: "step tier" | "default tiers", atLeast: number): Figure => ({
      name: `document, ${name}, a core`,
      measured: `${thousands(places[name].perSecond)} schedules/s`,
      peer: `bare loop ${thousands(bare)} /s, ratio ${places[name].ratio.toFixed(2)}`,
      value: places[name].perSecond,
      unit: "schedules/s",
      goal: { atLeast },
    });
    return [of("step tier", 50_000), of("default tiers", 35_000)];
  },
};

/** The libraries in the default tiers. */
export const convergeLibraries: Benchmark = {
  name: "converge: libraries",
  method: `the same with yjs, automerge and loro: their default tiers as a share of what their bare loop does`,
  async run() {
    return [
      await library({ module: "libraries/yjs", durationMs: 12_000 }, 0.85),
      await library({ module: "libraries/automerge", durationMs: 20_000 }, 0.85),
      await library({ module: "libraries/loro", durationMs: 20_000 }, 0.6),
    ];
  },
};

async function library(of: Pick<Race, "module" | "durationMs">, atLeast: number): Promise<Figure> {
  const places = await race({ ...of, contestants: ["bare loop", "default tiers"], events: EVENTS });
  const { perSecond, ratio } = places["default tiers"];
  return {
    name: `${of.module.replace("libraries/", "")}, default tiers`,
    measured: `${thousands(perSecond)} schedules/s`,
    peer: `bare loop ${thousands(places["bare loop"].perSecond)} /s`,
    value: ratio,
    unit: "x",
    goal: { atLeast },
  };
}

const thousands = (perSecond: number): string => Math.round(perSecond).toLocaleString("en");
