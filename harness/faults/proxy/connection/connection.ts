import type { Socket } from "node:net";
import type { FaultInForce } from "../fault-in-force.ts";
import type { Direction, Link } from "../network-fault.ts";
import type { Command } from "../resp/command.ts";
import type { KnownScripts } from "../resp/scripts.ts";
import type { BusyPoll } from "./busy-poll.ts";
import type { Flow } from "./flow.ts";
import type { OutboxEnvironment } from "./outbox.ts";
import { ReplyFlow, type ReplyFlowOwner } from "./reply-flow.ts";
import { ReplyLedger } from "./reply-ledger.ts";
import { type CommandFault, RequestFlow, type RequestFlowOwner } from "./request-flow.ts";
import type { ReusedReads } from "./reused-reads.ts";

export interface ConnectionEnvironment extends OutboxEnvironment {
  scripts: KnownScripts;
  busyPoll: BusyPoll;
  /** A source of random numbers for one fault on one connection. */
  randomFor(fault: FaultInForce, connection: Connection): () => number;
  commandPassed(fault: FaultInForce, connection: Connection, command: Command): void;
  closed(connection: Connection): void;
  /** The bytes of the connection can no longer be told apart into requests and replies. */
  unframed(connection: Connection, reason: string): void;
}

interface Attached extends CommandFault {
  readonly fault: FaultInForce;
}

/** A client's connection to a node and the proxy's to the same node, with what faults do between them. */
export class Connection implements RequestFlowOwner, ReplyFlowOwner {
  readonly source: string;
  readonly node: string;
  /** Which connection of this source to this node it is, from 0. */
  readonly index: number;
  readonly requests: RequestFlow;
  readonly replies: ReplyFlow;
  commandFaults: readonly Attached[] = [];
  private attached: readonly Attached[] = [];
  /** Faults that took bytes away: with the end of one of them the connection ends. */
  private readonly gapFaults = new Set<object>();
  /** Commands to report once they have been written. */
  private readonly reports: (() => void)[] = [];
  private readonly ledger = new ReplyLedger();
  private isClosed = false;
  private hasReportedUnframed = false;
  private readonly client: Socket;
  private readonly upstream: Socket;
  private readonly environment: ConnectionEnvironment;

  constructor(
    { source, node, index }: { source: string; node: string; index: number },
    client: Socket,
    upstream: Socket,
    environment: ConnectionEnvironment,
    /** How the upstream reads, where it reads past its stream. */
    upstreamReads: ReusedReads,
  ) {
    this.source = source;
    this.node = node;
    this.index = index;
    this.client = client;
    this.upstream = upstream;
    this.environment = environment;
    this.requests = new RequestFlow(client, upstream, this, environment, this.ledger, environment.scripts);
    this.replies = new ReplyFlow(upstream, client, this, environment, this.ledger);
    client.on("data", (chunk: Buffer) => this.requests.receive(chunk));
    upstreamReads.taker = this.replies;
    this.connect(client, this.requests, upstream);
    this.connect(upstream, this.replies, client);
  }

  get isUnframed(): boolean {
    return this.requests.framer.brokenBy !== undefined;
  }

  /** Puts faults on it, at once. */
  attach(faults: readonly FaultInForce[]): void {
    const added = faults.flatMap((fault): Attached[] => {
      const link = fault.on(this.linkFor(fault));
      return link ? [{ fault, link, affected: () => fault.commands++ }] : [];
    });
    if (this.isClosed) for (const { link } of added) link.end?.();
    else if (added.length > 0) this.setFaults([...this.attached, ...added]);
  }

  /** Takes a fault off it, at once: what it held goes on; where it took bytes away, the connection is reset. */
  detach(fault: FaultInForce): void {
    const leaving = this.attached.filter((each) => each.fault === fault);
    if (leaving.length === 0) return;
    this.setFaults(this.attached.filter((each) => each.fault !== fault));
    for (const { link } of leaving) link.end?.();
    if (this.gapFaults.has(fault)) {
      this.reset();
      return;
    }
    for (const [direction, flow] of this.flows) {
      flow.outbox.forgive(
        fault,
        leaving.some(({ link }) => link.shape?.[direction] !== undefined),
      );
      flow.settleMode();
    }
  }

  /** Lets go what a fault holds back, while it stays in force. */
  release(fault: FaultInForce): void {
    for (const [, flow] of this.flows) {
      flow.outbox.forgive(fault, false);
      flow.settleMode();
    }
  }

  loseFrom(direction: Direction, fault: object): void {
    this.gapFaults.add(fault);
    const { outbox } = this[direction];
    outbox.after(() => outbox.lose());
  }

  requestsPassed(): void {
    this.environment.busyPoll.passed("requests");
    this.reportUnframed();
    if (this.reports.length > 0) for (const report of this.reports.splice(0)) this.requests.outbox.after(report);
    if (this.ledger.marked === 0) return;
    this.replies.insertAnswers();
    this.replies.setCutsFrames(this.ledger.marked > 0);
  }

  repliesPassed(): void {
    this.environment.busyPoll.passed("replies");
    if (this.ledger.lostBy !== undefined) this.requests.framer.giveUp(this.ledger.lostBy);
    this.reportUnframed();
    // Replies to be eaten or replaced cannot be found any more: better no connection than another command's reply.
    if (this.replies.framer.brokenBy !== undefined && this.ledger.marked > 0) {
      this.reset();
      return;
    }
    // Replies are told apart only while something is wanted of one.
    this.replies.setCutsFrames(this.ledger.marked > 0);
  }

  flowChanged(): void {
    for (const [direction, flow] of this.flows) {
      if (!flow.outbox.hasGap) continue;
      for (const { fault, link } of this.attached) if (link.gate?.[direction] === "lose") this.gapFaults.add(fault);
    }
  }

  /** TCP RST to both sides. */
  reset(): void {
    if (this.isClosed) return;
    this.client.resetAndDestroy();
    this.upstream.resetAndDestroy();
    this.finish();
  }

  /** Ends both sides in an orderly way, without waiting for them. */
  close(): void {
    if (this.isClosed) return;
    this.client.destroySoon();
    this.upstream.destroySoon();
    this.finish();
  }

  private get flows(): [Direction, Flow][] {
    return [
      ["requests", this.requests],
      ["replies", this.replies],
    ];
  }

  private connect(from: Socket, flow: Flow, to: Socket): void {
    from.on("end", () => {
      flow.end();
      if (this.requests.hasEnded && this.replies.hasEnded) this.endSoon();
    });
    // A reset travels on, in the order of the stream, but takes what its sender had in flight with it.
    from.on("error", () => {
      flow.hasEnded = true;
      flow.outbox.clear();
      flow.outbox.after(() => to.resetAndDestroy());
      flow.settleMode();
    });
    from.on("close", () => {
      if (this.client.destroyed && this.upstream.destroyed) this.finish();
    });
  }

  /** Both sides have ended. A side that is cut off from the other's end is not kept waiting for it. */
  private endSoon(): void {
    if (this.requests.outbox.hasGap || this.replies.outbox.hasGap) this.close();
  }

  private finish(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const [, flow] of this.flows) flow.outbox.clear();
    for (const { link } of this.attached) link.end?.();
    this.environment.closed(this);
  }

  private linkFor(fault: FaultInForce): Link {
    return {
      source: this.source,
      node: this.node,
      random: this.environment.randomFor(fault, this),
      after: (direction, action) => this[direction].outbox.after(action),
      reset: () => this.reset(),
      close: () => this.close(),
      report: (command) => this.reports.push(() => this.environment.commandPassed(fault, this, command)),
      reportNow: (command) => this.environment.commandPassed(fault, this, command),
    };
  }

  private setFaults(attached: readonly Attached[]): void {
    this.attached = attached;
    this.commandFaults = attached.filter(({ link }) => link.command !== undefined);
    this.requests.setCutsFrames(this.commandFaults.length > 0);
    for (const [direction, flow] of this.flows) {
      flow.closeDelayMs = Math.max(0, ...attached.map(({ link }) => link.closeDelayMs?.[direction] ?? 0));
      flow.setShapers(attached.flatMap(({ link }) => link.shape?.[direction] ?? []));
      const gates = attached.map(({ link }) => link.gate?.[direction]);
      flow.outbox.setGate(gates.includes("lose") ? "lose" : gates.includes("hold") ? "hold" : undefined);
      flow.settleMode();
    }
  }

  private reportUnframed(): void {
    if (this.hasReportedUnframed) return;
    const reason = this.requests.framer.brokenBy ?? this.replies.framer.brokenBy;
    if (reason === undefined) return;
    this.hasReportedUnframed = true;
    this.environment.unframed(this, reason);
  }
}
