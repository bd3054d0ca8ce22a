import type { Orders, OrderType } from "../thread/messages.ts";
import { BrokenHand, type Hand, type StartHand } from "./hand.ts";

/** A place in a crew: whoever works there is replaced when an order breaks him. */
export interface Member {
  /** @throws BrokenHand once the place is taken by another */
  ask<Type extends OrderType>(type: Type, asked: Orders[Type]["asked"]): Promise<Orders[Type]["answer"]>;
}

/** Hands that all have the same adapter open. */
export class Crew {
  private readonly startHand: StartHand;
  private readonly prepare: (hand: Hand) => Promise<void>;
  private readonly hands = new Set<Hand>();
  private readonly places: Member[] = [];

  /** @param prepare gives a new hand its adapter */
  constructor(startHand: StartHand, prepare: (hand: Hand) => Promise<void>) {
    this.startHand = startHand;
    this.prepare = prepare;
  }

  /** @throws HarnessError when the adapter cannot be used */
  async hire(count: number): Promise<void> {
    const starts = await Promise.allSettled(Array.from({ length: count }, () => this.start()));
    for (const start of starts) {
      if (start.status === "rejected") throw start.reason;
      this.places.push(this.place(start.value));
    }
  }

  members(): readonly Member[] {
    return this.places;
  }

  private async start(): Promise<Hand> {
    const hand = await this.startHand();
    this.hands.add(hand);
    await this.prepare(hand);
    return hand;
  }

  private place(first: Hand): Member {
    let hand = first;
    return {
      ask: async (type, asked) => {
        try {
          return await hand.ask(type, asked);
        } catch (error) {
          if (error instanceof BrokenHand) {
            await this.end(hand);
            hand = await this.start();
          }
          throw error;
        }
      },
    };
  }

  private async end(hand: Hand): Promise<void> {
    this.hands.delete(hand);
    await hand.close();
  }

  async dismiss(): Promise<void> {
    await Promise.all([...this.hands].map((hand) => this.end(hand)));
  }
}
