import type { Orders, OrderType } from "../thread/messages.ts";
import { BrokenHand, type Hand, type StartHand } from "./hand.ts";

/** A place in a crew: whoever works there is replaced when an order breaks him. */
export interface Member {
  /**
   * @throws BrokenHand when the order broke the hand; the next is another's
   * @throws DismissedCrew
   */
  ask<Type extends OrderType>(type: Type, asked: Orders[Type]["asked"]): Promise<Orders[Type]["answer"]>;
}

/** The crew was dismissed while an order ran, or before it: nobody carries it out. */
export class DismissedCrew extends Error {
  constructor() {
    super("the crew was dismissed");
    this.name = "DismissedCrew";
  }
}

/** Hands that all have the same adapter open. */
export class Crew {
  private readonly startHand: StartHand;
  private readonly prepare: (hand: Hand) => Promise<void>;
  private readonly signal: AbortSignal | undefined;
  private readonly hands = new Set<Hand>();
  private readonly starting = new Set<Promise<Hand>>();
  private readonly places: Member[] = [];
  private isHiring = false;
  private isDismissed = false;

  /**
   * @param prepare gives a new hand its adapter
   * @param signal aborted: what runs ends soon; who is not hired yet is not any more
   */
  constructor(startHand: StartHand, prepare: (hand: Hand) => Promise<void>, signal?: AbortSignal) {
    this.startHand = startHand;
    this.prepare = prepare;
    this.signal = signal;
    signal?.addEventListener("abort", this.onAbort);
  }

  /**
   * @throws HarnessError when the adapter cannot be used
   * @throws the signal's reason when it came first
   */
  async hire(count: number): Promise<void> {
    this.signal?.throwIfAborted();
    this.isHiring = true;
    const starts = await Promise.allSettled(Array.from({ length: count }, () => this.start()));
    this.isHiring = false;
    this.signal?.throwIfAborted();
    for (const start of starts) {
      if (start.status === "rejected") throw start.reason;
      this.places.push(this.place(start.value));
    }
  }

  members(): readonly Member[] {
    return this.places;
  }

  private readonly onAbort = (): void => {
    if (this.isHiring) void this.dismiss();
    for (const hand of this.hands) hand.stop();
  };

  private async start(): Promise<Hand> {
    const start = this.startPrepared();
    this.starting.add(start);
    try {
      return await start;
    } finally {
      this.starting.delete(start);
    }
  }

  private async startPrepared(): Promise<Hand> {
    const hand = await this.startHand();
    this.hands.add(hand);
    try {
      if (!this.isDismissed) await this.prepare(hand);
      if (this.isDismissed) throw new DismissedCrew();
      return hand;
    } catch (error) {
      await this.end(hand);
      throw this.isDismissed ? new DismissedCrew() : error;
    }
  }

  private place(first: Hand): Member {
    let hand: Hand | undefined = first;
    return {
      ask: async (type, asked) => {
        if (this.isDismissed) throw new DismissedCrew();
        hand ??= await this.start();
        const asking = hand;
        try {
          return await asking.ask(type, asked);
        } catch (error) {
          if (error instanceof BrokenHand) {
            hand = undefined;
            await this.end(asking);
          }
          throw this.isDismissed ? new DismissedCrew() : error;
        }
      },
    };
  }

  private async end(hand: Hand): Promise<void> {
    this.hands.delete(hand);
    await hand.close();
  }

  /** Ends every hand, those that are just starting too. Nothing is asked of anybody any more. */
  async dismiss(): Promise<void> {
    this.isDismissed = true;
    this.signal?.removeEventListener("abort", this.onAbort);
    await Promise.all([...this.hands].map((hand) => this.end(hand)));
    await Promise.allSettled(this.starting);
  }
}
