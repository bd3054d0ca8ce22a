import { type ChildProcess, fork } from "node:child_process";
import { builtFile } from "../../../harness/package-root.ts";
import { bundleProgram } from "../bundle.ts";
import { median } from "../figure.ts";
import type { Batch, Contestant } from "./contestant.ts";

export interface Race {
  /** Name of a module of workloads/crdts. */
  module: string;
  contestants: readonly Contestant[];
  events: number;
  /** Time of the race without its warm-up. */
  durationMs: number;
}

/** Schedules a second of processor time, and the ratio to the first contestant: medians over the rounds. */
export interface Place {
  perSecond: number;
  ratio: number;
}

const ROUND_MS = 150;
/** The first part of a race is for the compiler. */
const WARM_UP = 0.3;

/**
 * Lets contestants run the same schedules in turns, each in a process of its own and one at a time, so that what else the
 * machine does falls on all alike.
 */
export async function race({ module, contestants, events, durationMs }: Race): Promise<Record<Contestant, Place>> {
  const program = await bundleProgram("test/bench/converge/contestant.ts");
  const racers = await Promise.all(
    contestants.map((name) => start(program, [builtFile(`workloads/crdts/${module}.js`), name, String(events)])),
  );
  const speeds = racers.map((): number[] => []);
  const counts = racers.map(() => 16);
  const from = racers.map(() => 0);
  try {
    const startMs = performance.now();
    const warmMs = durationMs * WARM_UP;
    for (let nowMs = startMs; nowMs - startMs < durationMs + warmMs; nowMs = performance.now()) {
      for (const [at, racer] of racers.entries()) {
        const perSecond = await run(racer, { first: from[at]!, count: counts[at]! });
        from[at]! += counts[at]!;
        counts[at] = Math.max(4, Math.ceil((perSecond * ROUND_MS) / 1_000));
        if (nowMs - startMs >= warmMs) speeds[at]!.push(perSecond);
      }
    }
  } finally {
    for (const racer of racers) if (racer.connected) racer.disconnect();
  }
  const places = speeds.map((of) => ({
    perSecond: median(of),
    ratio: median(of.map((speed, round) => speed / speeds[0]![round]!)),
  }));
  return Object.fromEntries(contestants.map((name, at) => [name, places[at]])) as Record<Contestant, Place>;
}

async function start(program: string, args: string[]): Promise<ChildProcess> {
  const child = fork(program, args);
  await answer(child);
  return child;
}

async function run(child: ChildProcess, batch: Batch): Promise<number> {
  child.send(batch);
  return (batch.count / ((await answer(child)) as number)) * 1e6;
}

function answer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A contestant ended with code ${code}.`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}
