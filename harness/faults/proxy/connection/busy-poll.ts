import type { Direction } from "../network-fault.ts";

/** What the poller reads and does, for tests to stand in for. */
export interface EventLoop {
  /** ms, monotonic. */
  now(): number;
  /** Calls after sockets have been looked at once more, without sleeping. */
  nextTurn(callback: () => void): void;
}

/**
 * Keeps the event loop awake for a moment after bytes have passed, since the answer to them is wont to follow within some
 * tens of microseconds, and waking a process that sleeps takes as long again. It gives up where that does not pay: after
 * bytes that nothing follows soon, where much passes at a time anyway, and while others need the processor.
 */
export class BusyPoll {
  private untilMs = 0;
  private replyDueUntilMs = 0;
  private lastTurnMs = 0;
  private restUntilMs = 0;
  private isTurning = false;
  private passedInTurn = 0;
  private last: Direction = "requests";
  private readonly trust: Record<Direction, number> = { requests: mostTrust, replies: mostTrust };
  private readonly skipped: Record<Direction, number> = { requests: 0, replies: 0 };
  private readonly loop: EventLoop;
  private readonly turn = () => this.onTurn();

  constructor(loop: EventLoop = { now: () => performance.now(), nextTurn: setImmediate }) {
    this.loop = loop;
  }

  /** A request has passed so shortly ago that its reply is due, whether or not the loop is kept awake for it. */
  get awaitsReply(): boolean {
    return this.loop.now() < this.replyDueUntilMs;
  }

  /** Bytes have passed in this direction. */
  passed(direction: Direction): void {
    if (this.isTurning) this.trust[this.last] = Math.min(mostTrust, this.trust[this.last] + 1);
    this.last = direction;
    this.passedInTurn++;
    const nowMs = this.loop.now();
    if (direction === "requests") this.replyDueUntilMs = nowMs + pollMs;
    if (!this.isWorthIt(direction, nowMs)) {
      this.untilMs = 0;
      return;
    }
    this.untilMs = nowMs + pollMs;
    if (this.isTurning) return;
    this.isTurning = true;
    this.passedInTurn = 1;
    this.lastTurnMs = nowMs;
    this.loop.nextTurn(this.turn);
  }

  private isWorthIt(direction: Direction, nowMs: number): boolean {
    if (nowMs < this.restUntilMs) return false;
    if (this.trust[direction] > 0) return true;
    this.skipped[direction] = (this.skipped[direction] + 1) % triedEvery;
    return this.skipped[direction] === 0;
  }

  private onTurn(): void {
    const nowMs = this.loop.now();
    if (nowMs - this.lastTurnMs > preemptedMs) this.restUntilMs = nowMs + restMs;
    else if (this.passedInTurn >= crowd) this.restUntilMs = nowMs + crowdRestMs;
    this.lastTurnMs = nowMs;
    this.passedInTurn = 0;
    if (nowMs < this.untilMs && nowMs >= this.restUntilMs) {
      this.loop.nextTurn(this.turn);
      return;
    }
    this.isTurning = false;
    // It was in vain; unless it ended itself.
    if (this.untilMs > 0) this.trust[this.last] = Math.max(0, this.trust[this.last] - 1);
  }
}

/** Redis answers in 20 to 40 us. */
const pollMs = 0.06;
const mostTrust = 8;
/** Where nothing followed soon, one time in so many is tried again. */
const triedEvery = 16;
/** A turn that takes this long was not the processor's only work. */
const preemptedMs = 0.5;
const restMs = 100;
/** With so many pieces in a turn there is no need to wait for the next: a short sleep lets more of them come together. */
const crowd = 3;
const crowdRestMs = 5;
