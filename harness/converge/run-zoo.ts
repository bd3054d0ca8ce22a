import type { CrdtRef } from "./adapter/crdt-ref.ts";
import { Campaign } from "./campaign/campaign.ts";
import { BrokenHand, type Hand, type StartHand } from "./campaign/hand.ts";
import type { ResolvedConverge } from "./converge-options.ts";
import type { CrdtRun } from "./crdt-run.ts";
import { isInterruption } from "./interruption.ts";
import { planOf, toRun } from "./run-fuzz.ts";

/**
 * Runs every mutant, each in one thread, until an oracle that belongs to it speaks or its budget is spent. The deep oracles
 * are always asked. In one thread, since the number of schedules until it is found is what the table shows.
 */
export async function runZoo(given: ResolvedConverge, startHand: StartHand): Promise<CrdtRun[]> {
  // Where one worker fails, the others end too.
  const failure = new AbortController();
  const signal = given.signal === undefined ? failure.signal : AbortSignal.any([given.signal, failure.signal]);
  const options = { ...given, signal };
  const runs: CrdtRun[] = new Array(options.crdts.length);
  const waiting = [...options.crdts.entries()];
  const startedMs = performance.now();
  const work = async () => {
    // One thread for all mutants of this worker: starting one takes longer than finding most.
    const hand = new ReusedHand(startHand);
    try {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
        const [number, ref] = next;
        runs[number] = await runMutant(ref, options, hand);
        const { crdt } = runs[number];
        const done = runs.filter(Boolean);
        options.onProgress?.({
          phase: "zoo",
          crdt: ref.name,
          number,
          of: options.crdts.length,
          elapsedMs: performance.now() - startedMs,
          schedules: done.reduce((sum, run) => sum + run.crdt.schedules, 0),
          schedulesPerSecond: crdt.schedulesPerSecond,
          failed: done.filter((run) => run.crdt.mutant?.killed).length,
        });
      }
    } catch (error) {
      if (isInterruption(error, signal)) return;
      failure.abort();
      throw error;
    } finally {
      await hand.end();
    }
  };
  const works = await Promise.allSettled(Array.from({ length: Math.max(1, options.threads) }, work));
  for (const each of works) if (each.status === "rejected") throw each.reason;
  return runs.filter(Boolean);
}

async function runMutant(ref: CrdtRef, options: ResolvedConverge, hand: ReusedHand): Promise<CrdtRun> {
  const { schedules, timeMs, signal } = options;
  const facts = await hand.facts(ref, options);
  const report = await new Campaign(ref, {
    plan: { ...planOf(options), deepEvery: 1 },
    startHand: hand.start,
    threads: 1,
    stopAt: facts.caughtBy,
    ...(schedules === undefined ? {} : { schedules }),
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(signal === undefined ? {} : { signal }),
  }).run();
  const killer = report.failures.find(({ counterexample }) => facts.caughtBy.includes(counterexample.oracle));
  const run = toRun(ref, options, { ...report, failures: killer === undefined ? report.failures : [killer] });
  run.crdt.mutant = {
    ...facts,
    killed: killer !== undefined,
    oracle: killer?.counterexample.oracle ?? null,
    schedulesUntilFound: killer === undefined ? null : killer.index + 1,
    shrunkTo: killer?.counterexample.eventsAfter ?? null,
  };
  return run;
}

/** Lends one hand to campaigns, one after the other; they may close it, and it stays open for the next. */
class ReusedHand {
  private readonly startHand: StartHand;
  private hand: Hand | undefined;

  constructor(startHand: StartHand) {
    this.startHand = startHand;
  }

  async facts(ref: CrdtRef, options: ResolvedConverge): Promise<{ wrongThought: string; caughtBy: string[] }> {
    const hand = await this.start();
    const { broken } = await hand.ask("open", { ref, plan: planOf(options) });
    return { wrongThought: broken?.wrongThought ?? "", caughtBy: [...(broken?.caughtBy ?? [])] };
  }

  readonly start: StartHand = async () => {
    this.hand ??= await this.startHand();
    const { hand } = this;
    return {
      ask: async (type, asked) => {
        try {
          return await hand.ask(type, asked);
        } catch (error) {
          if (error instanceof BrokenHand) {
            await hand.close();
            if (this.hand === hand) this.hand = undefined;
          }
          throw error;
        }
      },
      stop: () => hand.stop(),
      close: async () => {},
    };
  };

  async end(): Promise<void> {
    await this.hand?.close();
  }
}
