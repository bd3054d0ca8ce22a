import { setImmediate } from "node:timers/promises";
import { HEARTBEAT } from "../thread/heartbeat.ts";
import type { Orders, OrderType } from "../thread/messages.ts";
import { Bench } from "./bench.ts";

/** Somebody who carries out orders, one at a time: a thread, or the caller's own. */
export interface Hand {
  /**
   * @throws BrokenHand when a step hung or the thread ended
   * @throws HarnessError when the adapter cannot be used
   */
  ask<Type extends OrderType>(type: Type, asked: Orders[Type]["asked"]): Promise<Orders[Type]["answer"]>;
  /** Has what runs end soon, with what it has. What is asked afterwards runs as ever. */
  stop(): void;
  close(): Promise<void>;
}

export type StartHand = () => Promise<Hand>;

/** What a hand did when it was last seen. */
export type RanLast = Pick<BrokenHand, "index" | "event" | "schedule">;

/** A hand did not survive an order. Another one must be started. */
export class BrokenHand extends Error {
  /** Index of the schedule that ran, and the event in it. */
  readonly index: number;
  readonly event: number;
  /** The schedule itself, in an exhaustive search. */
  readonly schedule: readonly number[];
  /** It was to stop and did not: this says nothing against the schedule that ran. */
  readonly wasStopped: boolean;

  /** @param reason what happened, to go on from "it ...": `did not return within 5000 ms` */
  constructor(reason: string, { index, event, schedule }: RanLast, wasStopped = false) {
    super(reason);
    this.name = "BrokenHand";
    this.index = index;
    this.event = event;
    this.schedule = schedule;
    this.wasStopped = wasStopped;
  }
}

/** Carries orders out in the caller's own thread: for small runs and tests. Nothing guards it against a step that hangs. */
export async function startInline(): Promise<Hand> {
  const heartbeat = new Int32Array(HEARTBEAT.length);
  const bench = new Bench(heartbeat);
  return {
    async ask(type, asked) {
      // Between two orders signals and timers have their turn.
      await setImmediate();
      heartbeat[HEARTBEAT.stop] = 0;
      return await bench.carryOut(type, asked);
    },
    stop() {
      heartbeat[HEARTBEAT.stop] = 1;
    },
    close: async () => bench.close(),
  };
}
