import { HEARTBEAT, type Orders, type OrderType } from "../thread/messages.ts";
import { Bench } from "./bench.ts";

/** Somebody who carries out orders, one at a time: a thread, or the caller's own. */
export interface Hand {
  /**
   * @throws BrokenHand when a step hung or the thread ended
   * @throws HarnessError when the adapter cannot be used
   */
  ask<Type extends OrderType>(type: Type, asked: Orders[Type]["asked"]): Promise<Orders[Type]["answer"]>;
  close(): Promise<void>;
}

export type StartHand = () => Promise<Hand>;

/** A hand did not survive an order. Another one must be started. */
export class BrokenHand extends Error {
  /** Index of the schedule that ran, and the event in it. */
  readonly index: number;
  readonly event: number;

  /** @param reason what happened, to go on from "it ...": `did not return within 5000 ms` */
  constructor(reason: string, index: number, event: number) {
    super(reason);
    this.name = "BrokenHand";
    this.index = index;
    this.event = event;
  }
}

/** Carries orders out in the caller's own thread: for small runs and tests. Nothing guards it against a step that hangs. */
export async function startInline(): Promise<Hand> {
  const bench = new Bench(new Int32Array(HEARTBEAT.length));
  return {
    ask: (type, asked) => bench.carryOut(type, asked),
    close: async () => bench.close(),
  };
}
