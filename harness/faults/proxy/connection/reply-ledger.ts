import type { ReplyMark } from "../network-fault.ts";
import { requestArguments } from "../resp/arguments.ts";
import type { CommandKind } from "../resp/command-kind.ts";
import type { Frame } from "../resp/frame.ts";
import { pushElements } from "./push-elements.ts";

/** A reply that is due on a connection, or an answer of the proxy's own that waits for its place in the order. */
export interface DueReply {
  readonly kind: CommandKind | "answer";
  /** What is to be done with the reply, by order of the faults that saw the command. */
  readonly marks?: readonly ReplyMark[];
  /** For `answer`: it takes the place of a reply. */
  readonly bytes?: Buffer;
  /** For `subscription`: the name, and how many confirmations are to come; 0 for one per present subscription. */
  readonly name?: string;
  confirmationsLeft?: number;
}

/**
 * Which command the next reply of a connection belongs to. Pushes, pub/sub messages and MONITOR lines are no replies;
 * CLIENT REPLY OFF and SKIP take replies away; SUBSCRIBE is answered once per channel.
 */
export class ReplyLedger {
  /** Entries that someone wants something of. */
  marked = 0;
  /** Why replies cannot be told apart any more. */
  lostBy: string | undefined;
  inTransaction = false;

  private queue: DueReply[] = [];
  private head = 0;
  private isReplyOff = false;
  private skipsNext = false;
  private hasOddTransaction = false;
  private isResp3 = false;
  private isMonitoring = false;
  private hasSentCommands = false;
  private readonly subscriptions = new Map([
    ["subscribe", new Set<string>()],
    ["psubscribe", new Set<string>()],
    ["ssubscribe", new Set<string>()],
  ]);

  /** Number of replies that are due. */
  get due(): number {
    return this.queue.length - this.head;
  }

  /** The reply, or answer, that is next. */
  get next(): DueReply | undefined {
    return this.queue[this.head];
  }

  /** A request goes to the server. Returns false if no reply will come of it, so that the marks have no object. */
  expect(kind: CommandKind, frame: Frame, marks?: readonly ReplyMark[]): boolean {
    if (kind === "ignored") return false;
    this.hasSentCommands = true;
    const isSkipped = this.skipsNext || this.isReplyOff;
    this.skipsNext = false;
    if (kind === "plain" || kind === "script") return !isSkipped && this.add(plainReply, kind, marks);
    return this.expectSpecial(kind, frame, isSkipped, marks);
  }

  /** An answer of the proxy's own takes the place of the reply to a request that is not forwarded. Returns false if no reply is wanted there. */
  answer(bytes: Buffer): boolean {
    const isSkipped = this.skipsNext || this.isReplyOff;
    this.skipsNext = false;
    if (isSkipped) return false;
    this.queue.push({ kind: "answer", bytes });
    this.marked++;
    return true;
  }

  /** A request that the server will refuse went in place of another: its reply is replaced. */
  expectReplaced(fault: ReplyMark["fault"], bytes: Buffer): void {
    const isSkipped = this.skipsNext || this.isReplyOff;
    this.skipsNext = false;
    if (!isSkipped) this.add(plainReply, "plain", [{ fault, action: { kind: "replace-reply", bytes } }]);
  }

  /** The server has been told to drop the transaction. */
  endTransaction(): void {
    this.inTransaction = false;
    this.hasOddTransaction = false;
  }

  /** Removes and returns the answer that is next, if one is. */
  takeAnswer(): Buffer | undefined {
    if (this.next?.kind !== "answer") return undefined;
    return this.take().bytes;
  }

  /** A frame came from the server. Returns the reply that it completes; undefined for a push and for part of an answer to SUBSCRIBE. */
  settle(frame: Frame): DueReply | undefined {
    const type = (frame.earlier[0] ?? frame.chunk)[frame.earlier.length > 0 ? 0 : frame.start] as number;
    const next = this.next;
    if (type === greater) return this.settlePush(frame, next);
    if (this.isMonitoring && type === plus && isDigit(frame.bytes[1])) return undefined;
    if (
      type === asterisk &&
      !this.isResp3 &&
      (next?.kind === "subscription" || next === undefined || this.isSubscribed)
    ) {
      const elements = pushElements(frame.bytes);
      if (this.isSubscribed && messages.has(elements[0] ?? "")) return undefined;
      if (elements[0] !== undefined && (next === undefined || next.name === elements[0]) && this.confirmed(elements)) {
        return this.confirmation(next);
      }
    }
    if (next === undefined) {
      // A server that refuses or gives up a connection says so unasked.
      if (type !== minus && this.hasSentCommands) this.lostBy ??= "a reply came that no command had asked for";
      return undefined;
    }
    this.follow(next.kind, type);
    return this.take();
  }

  private expectSpecial(kind: CommandKind, frame: Frame, isSkipped: boolean, marks?: readonly ReplyMark[]): boolean {
    switch (kind) {
      case "client":
        return this.expectClient(frame, isSkipped, marks);
      case "multi":
        this.inTransaction = true;
        break;
      case "exec":
      case "discard":
        this.inTransaction = false;
        if (kind === "exec" && this.hasOddTransaction) return this.add({ kind: "replication" }, "replication");
        this.hasOddTransaction = false;
        break;
      case "reset":
        this.inTransaction = false;
        this.isReplyOff = false;
        return this.add({ kind }, kind, marks);
      case "subscription":
        if (this.inTransaction) {
          this.hasOddTransaction = true;
          return this.add(plainReply, "plain", marks);
        }
        return this.expectConfirmations(frame, isSkipped, marks);
      case "replication":
        return this.add({ kind }, kind);
    }
    return !isSkipped && this.add({ kind }, kind, marks);
  }

  private expectClient(frame: Frame, isSkipped: boolean, marks?: readonly ReplyMark[]): boolean {
    const words = requestArguments(frame.bytes).map((word) => word.toString("latin1").toLowerCase());
    const mode = words[1] === "reply" && words.length === 3 ? words[2] : undefined;
    if (mode === "on" || mode === "off" || mode === "skip") {
      if (this.inTransaction) {
        this.hasOddTransaction = true;
        return this.add(plainReply, "plain", marks);
      }
      if (mode === "skip") {
        this.skipsNext = !this.isReplyOff;
        return false;
      }
      this.isReplyOff = mode === "off";
      return mode === "on" && this.add(plainReply, "plain", marks);
    }
    return !isSkipped && this.add(plainReply, "plain", marks);
  }

  private expectConfirmations(frame: Frame, isSkipped: boolean, marks?: readonly ReplyMark[]): boolean {
    // Confirmations come even where replies are off, but an error would not: nothing can be relied on.
    if (isSkipped) return false;
    const words = requestArguments(frame.bytes);
    const name = words[0]?.toString("latin1").toLowerCase() ?? "";
    this.queue.push({ kind: "subscription", name, confirmationsLeft: words.length - 1, ...(marks ? { marks } : {}) });
    if (marks) this.marked++;
    return true;
  }

  private add(shared: DueReply, kind: CommandKind, marks?: readonly ReplyMark[]): true {
    this.queue.push(marks ? { kind, marks } : shared);
    if (marks) this.marked++;
    return true;
  }

  private take(): DueReply {
    const taken = this.queue[this.head] as DueReply;
    this.head++;
    if (taken.marks || taken.kind === "answer") this.marked--;
    if (this.head === this.queue.length) {
      this.queue.length = 0;
      this.head = 0;
    } else if (this.head >= 4096) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    return taken;
  }

  private settlePush(frame: Frame, next: DueReply | undefined): DueReply | undefined {
    const elements = pushElements(frame.bytes);
    if (!this.confirmed(elements) || next?.name !== elements[0]) return undefined;
    return this.confirmation(next);
  }

  /** One confirmation of a SUBSCRIBE or UNSUBSCRIBE arrived. */
  private confirmation(next: DueReply | undefined): DueReply | undefined {
    if (!next) return undefined;
    if (next.confirmationsLeft === 0) {
      // The subscription that was just confirmed away has left the set already.
      next.confirmationsLeft = (this.subscriptions.get((next.name ?? "").replace("un", ""))?.size ?? 0) + 1;
    }
    next.confirmationsLeft = (next.confirmationsLeft ?? 1) - 1;
    return next.confirmationsLeft === 0 ? this.take() : undefined;
  }

  private confirmed([kind = "", channel]: readonly (string | undefined)[]): boolean {
    const set = this.subscriptions.get(kind.replace("un", ""));
    if (!set) return false;
    if (channel === undefined) return true;
    if (kind.includes("un")) set.delete(channel);
    else set.add(channel);
    return true;
  }

  private get isSubscribed(): boolean {
    for (const set of this.subscriptions.values()) if (set.size > 0) return true;
    return false;
  }

  /** What a reply changes on the connection. */
  private follow(kind: DueReply["kind"], type: number): void {
    if (kind === "hello") {
      if (type === percent) this.isResp3 = true;
      else if (type === asterisk) this.isResp3 = false;
    } else if (kind === "monitor") {
      if (type === plus) this.isMonitoring = true;
    } else if (kind === "reset" && type === plus) {
      this.isResp3 = false;
      this.isMonitoring = false;
      for (const set of this.subscriptions.values()) set.clear();
    }
  }
}

const plainReply: DueReply = { kind: "plain" };
const messages = new Set(["message", "pmessage", "smessage"]);
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const plus = 0x2b;
const minus = 0x2d;
const asterisk = 0x2a;
const greater = 0x3e;
const percent = 0x25;
