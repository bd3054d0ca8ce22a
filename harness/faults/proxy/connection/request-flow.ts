import type { Socket } from "node:net";
import type { CommandAction, LinkFault, ReplyAction, ReplyMark } from "../network-fault.ts";
import { encodeRequest, requestArguments } from "../resp/arguments.ts";
import { Command } from "../resp/command.ts";
import { type CommandKind, commandKind } from "../resp/command-kind.ts";
import type { Frame } from "../resp/frame.ts";
import { RequestFramer } from "../resp/request-framer.ts";
import type { KnownScripts } from "../resp/scripts.ts";
import { Flow, type FlowOwner } from "./flow.ts";
import type { OutboxEnvironment } from "./outbox.ts";
import type { ReplyLedger } from "./reply-ledger.ts";

export interface CommandFault {
  readonly link: LinkFault;
  readonly fault: { readonly isOver: boolean };
  /** Something was done by it. */
  affected(): void;
}

export interface RequestFlowOwner extends FlowOwner {
  readonly commandFaults: readonly CommandFault[];
  /** A fault took a request away: the requests end here. */
  loseFrom(direction: "requests" | "replies", fault: object): void;
  /** A chunk of requests has gone on; answers and marks may have been added. */
  requestsPassed(): void;
}

/** From the client to the node: every request is entered in the ledger, and faults may look at it. */
export class RequestFlow extends Flow {
  private readonly owner: RequestFlowOwner;
  private readonly ledger: ReplyLedger;
  private readonly scripts: KnownScripts;
  /** What faults want of the replies to commands in a transaction is done to the reply of its EXEC. */
  private transactionMarks: ReplyMark[] = [];

  constructor(
    source: Socket,
    sink: Socket,
    owner: RequestFlowOwner,
    environment: OutboxEnvironment,
    ledger: ReplyLedger,
    scripts: KnownScripts,
  ) {
    super(source, sink, owner, environment);
    this.owner = owner;
    this.ledger = ledger;
    this.scripts = scripts;
  }

  protected makeFramer(onFrame: (frame: Frame) => void): RequestFramer {
    return new RequestFramer(onFrame);
  }

  protected note(frame: Frame): void {
    this.expect(commandKind(frame), frame);
  }

  protected decide(frame: Frame): boolean {
    const kind = commandKind(frame);
    const command = kind === "ignored" ? undefined : new Command(frame.bytes, this.scripts);
    const { request, marks } = this.actionsOn(command);
    const replyMarks = this.marksFor(kind, marks);
    if (request?.action.kind === "lose-request") {
      this.passUpTo(frame);
      this.owner.loseFrom("requests", request.fault);
      return false;
    }
    if (request?.action.kind === "answer") {
      this.passUpTo(frame);
      this.answer(kind, request.action.bytes, request.fault);
      return false;
    }
    this.expect(kind, frame, replyMarks);
    if (request?.action.kind === "delay-request") {
      this.passUpTo(frame);
      this.passPinned(frame, request.fault, request.action.ms);
      return false;
    }
    if (request?.action.kind === "twice" && this.mayGoTwice(kind)) {
      this.passUpTo(frame);
      this.passFrame(frame);
      this.passFrame(frame);
      this.expect(kind, frame, [{ fault: request.fault, action: { kind: "eat-reply" } }]);
      return false;
    }
    return true;
  }

  protected override afterChunk(): void {
    this.owner.requestsPassed();
  }

  private actionsOn(command: Command | undefined) {
    const marks: ReplyMark[] = [];
    let request: { action: Exclude<CommandAction, ReplyAction>; fault: CommandFault["fault"] } | undefined;
    if (!command) return { request, marks };
    for (const { link, fault, affected } of this.owner.commandFaults) {
      const action = link.command?.(command);
      if (!action) continue;
      affected();
      if (isRequestAction(action)) request ??= { action, fault };
      else marks.push({ fault, action });
    }
    return { request, marks };
  }

  private marksFor(kind: CommandKind, marks: ReplyMark[]): readonly ReplyMark[] | undefined {
    let wanted = marks;
    if (kind === "exec") wanted = [...this.transactionMarks, ...marks];
    if (kind === "exec" || kind === "discard" || kind === "reset") this.transactionMarks = [];
    else if (this.ledger.inTransaction) {
      this.transactionMarks.push(...marks);
      wanted = [];
    }
    return wanted.length > 0 ? wanted : undefined;
  }

  private expect(kind: CommandKind, frame: Frame, marks?: readonly ReplyMark[]): void {
    if (kind === "script") this.scripts.observe(requestArguments(frame.bytes));
    this.ledger.expect(kind, frame, marks);
    if (kind === "replication") this.framer.giveUp("replication");
  }

  /**
   * In a transaction the server must see something in place of the command, as if it had refused it by itself: a command
   * that it does not know, after which it aborts the transaction; for an EXEC, a DISCARD.
   */
  private answer(kind: CommandKind, bytes: Buffer, fault: CommandFault["fault"]): void {
    if (!this.ledger.inTransaction) {
      this.ledger.answer(bytes);
      return;
    }
    const isLast = kind === "exec" || kind === "discard";
    this.insertHere(encodeRequest([isLast ? "DISCARD" : "HOLDFAST-REFUSED-COMMAND"]));
    this.ledger.expectReplaced(fault, bytes);
    if (isLast) this.ledger.endTransaction();
  }

  /** A second SUBSCRIBE or MULTI would change the connection, and inside a transaction the EXEC has one result for each. */
  private mayGoTwice(kind: CommandKind): boolean {
    return (kind === "plain" || kind === "script") && !this.ledger.inTransaction;
  }
}

function isRequestAction(action: CommandAction): action is Exclude<CommandAction, ReplyAction> {
  return requestActions.has(action.kind);
}

const requestActions: ReadonlySet<CommandAction["kind"]> = new Set([
  "lose-request",
  "answer",
  "twice",
  "delay-request",
]);
