import { type Frame, Framer } from "./frame.ts";

/**
 * Finds where replies and pushes end in a server's bytes, RESP2 and RESP3. An attribute belongs to the reply after it.
 * Nested aggregates need no stack: it is enough to count the values still to come.
 */
export class ReplyFramer extends Framer {
  private state: State = State.type;
  private type = 0;
  private number = 0;
  private negative = false;
  private valuesLeft = 1;
  private bytesLeft = 0;
  private readonly onReply: (frame: Frame) => void;

  constructor(onReply: (frame: Frame) => void) {
    super();
    this.onReply = onReply;
  }

  protected read(chunk: Buffer): void {
    const length = chunk.length;
    let at = 0;
    while (at < length) {
      switch (this.state) {
        case State.type:
          if (this.brokenBy !== undefined) return;
          if (!this.midFrame) {
            this.midFrame = true;
            this.frame.start = at;
          }
          if (!this.begin(chunk[at] as number)) return;
          at++;
          break;
        case State.line: {
          const lineEnd = endOfLine(chunk, at);
          if (lineEnd === -1) return;
          at = lineEnd + 1;
          this.valueEnded(at);
          break;
        }
        case State.number: {
          let ended = false;
          while (at < length && !ended) {
            const byte = chunk[at++] as number;
            if (byte >= zero && byte <= nine) this.number = this.number * 10 + (byte - zero);
            else if (byte === newline) ended = true;
            else if (byte === minus) this.negative = true;
            else if (byte !== carriageReturn) {
              this.giveUp(`a reply's length has byte ${byte} in it`);
              return;
            }
          }
          if (!ended) return;
          this.numberEnded(at);
          break;
        }
        case State.body: {
          const step = Math.min(this.bytesLeft, length - at);
          at += step;
          this.bytesLeft -= step;
          if (this.bytesLeft > 0) return;
          this.valueEnded(at);
          break;
        }
      }
    }
  }

  private begin(type: number): boolean {
    switch (shapeOf[type]) {
      case "line":
        this.state = State.line;
        return true;
      case "bulk":
      case "aggregate":
        this.type = type;
        this.number = 0;
        this.negative = false;
        this.state = State.number;
        return true;
      default:
        this.giveUp(`a reply starts with byte ${type}`);
        return false;
    }
  }

  private numberEnded(at: number): void {
    if (shapeOf[this.type] === "bulk") {
      if (this.negative) {
        this.valueEnded(at);
        return;
      }
      this.bytesLeft = this.number + 2;
      this.state = State.body;
      return;
    }
    if (!this.negative) {
      const isPairs = this.type === percent || this.type === bar;
      this.valuesLeft += isPairs ? 2 * this.number : this.number;
    }
    // An attribute stands before a value and is none itself.
    if (this.type === bar) this.state = State.type;
    else this.valueEnded(at);
  }

  private valueEnded(at: number): void {
    this.state = State.type;
    if (--this.valuesLeft > 0) return;
    this.valuesLeft = 1;
    this.complete(at, this.onReply);
  }
}

/** Status lines and integers are short: a loop beats the native search up to a few dozen bytes. */
function endOfLine(chunk: Buffer, from: number): number {
  const near = Math.min(from + 48, chunk.length);
  for (let at = from; at < near; at++) if (chunk[at] === newline) return at;
  return near === chunk.length ? -1 : chunk.indexOf(newline, near);
}

type State = (typeof State)[keyof typeof State];
const State = { type: 0, line: 1, number: 2, body: 3 } as const;

const newline = 0x0a;
const carriageReturn = 0x0d;
const zero = 0x30;
const nine = 0x39;
const minus = 0x2d;
const percent = 0x25;
const bar = 0x7c;

// RESP3, https://redis.io/docs/latest/develop/reference/protocol-spec/: streamed strings and aggregates (`$?`, `*?`)
// are in the specification and in no server; they end framing.
const shapeOf: readonly ("line" | "bulk" | "aggregate" | undefined)[] = (() => {
  const shapes: ("line" | "bulk" | "aggregate" | undefined)[] = new Array(256).fill(undefined);
  for (const type of "+-:_#,(") shapes[type.charCodeAt(0)] = "line";
  for (const type of "$!=") shapes[type.charCodeAt(0)] = "bulk";
  for (const type of "*~>%|") shapes[type.charCodeAt(0)] = "aggregate";
  return shapes;
})();
