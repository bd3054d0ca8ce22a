import type { Socket } from "node:net";
import type { Frame } from "../resp/frame.ts";
import { ReplyFramer } from "../resp/reply-framer.ts";
import { Flow, type FlowOwner } from "./flow.ts";
import type { OutboxEnvironment } from "./outbox.ts";
import type { DueReply, ReplyLedger } from "./reply-ledger.ts";

export interface ReplyFlowOwner extends FlowOwner {
  loseFrom(direction: "requests" | "replies", fault: object): void;
  reset(): void;
  /** A chunk of replies has been read. */
  repliesPassed(): void;
}

/** From the node to the client: each reply is told by the ledger which command it answers, and what is wanted of it. */
export class ReplyFlow extends Flow {
  private readonly owner: ReplyFlowOwner;
  private readonly ledger: ReplyLedger;

  constructor(
    source: Socket,
    sink: Socket,
    owner: ReplyFlowOwner,
    environment: OutboxEnvironment,
    ledger: ReplyLedger,
  ) {
    super(source, sink, owner, environment);
    this.owner = owner;
    this.ledger = ledger;
  }

  /** Gives the answers that are next, if the stream is between two frames. */
  insertAnswers(): void {
    while (!this.isMidFrame) {
      const bytes = this.ledger.takeAnswer();
      if (!bytes) return;
      this.insert(bytes);
    }
  }

  protected makeFramer(onFrame: (frame: Frame) => void): ReplyFramer {
    return new ReplyFramer(onFrame);
  }

  protected override beforeChunk(): void {
    if (!this.framer.midFrame) this.checkFraming();
  }

  protected note(frame: Frame): void {
    this.ledger.settle(frame);
    this.checkFraming();
  }

  protected decide(frame: Frame): boolean {
    const reply = this.ledger.settle(frame);
    this.checkFraming();
    return reply?.marks === undefined || this.carryOut(reply, frame);
  }

  protected override afterFrame(frame: Frame): void {
    for (let bytes = this.ledger.takeAnswer(); bytes; bytes = this.ledger.takeAnswer()) this.passAfter(frame, bytes);
  }

  protected override afterChunk(): void {
    this.owner.repliesPassed();
  }

  private carryOut(reply: DueReply, frame: Frame): boolean {
    let longest: { fault: object; ms: number } | undefined;
    for (const { fault, action } of reply.marks ?? []) {
      if (action.kind === "delay-reply" && !fault.isOver) action.arrived?.();
    }
    for (const { fault, action } of reply.marks ?? []) {
      if (action.kind === "eat-reply") {
        this.passUpTo(frame);
        return false;
      }
      if (action.kind === "replace-reply") {
        this.passUpTo(frame);
        this.passAfter(frame, action.bytes);
        return false;
      }
      if (fault.isOver) continue;
      if (action.kind === "delay-reply") {
        if (action.ms >= (longest?.ms ?? 0)) longest = { fault, ms: action.ms };
        continue;
      }
      this.passUpTo(frame);
      if (action.kind === "lose-reply") this.owner.loseFrom("replies", fault);
      else this.outbox.after(() => this.owner.reset());
      return false;
    }
    if (!longest) return true;
    this.passUpTo(frame);
    this.passPinned(frame, longest.fault, longest.ms);
    return false;
  }

  private checkFraming(): void {
    if (this.ledger.next?.kind === "replication") this.framer.giveUp("replication");
    else if (this.ledger.lostBy !== undefined) this.framer.giveUp(this.ledger.lostBy);
  }
}
