import { type Frame, Framer } from "./frame.ts";

/**
 * Finds where requests end in a client's bytes: arrays of bulk strings, and inline commands. Incremental: a request may
 * come in any number of pieces. Frames that Redis does not answer (an empty line, `*0`) are called back as well.
 */
export class RequestFramer extends Framer {
  private state: State = State.start;
  private number = 0;
  private negative = false;
  private argumentsLeft = 0;
  private bytesLeft = 0;
  private readonly onRequest: (frame: Frame) => void;

  constructor(onRequest: (frame: Frame) => void) {
    super();
    this.onRequest = onRequest;
  }

  protected read(chunk: Buffer): void {
    const length = chunk.length;
    let at = 0;
    while (at < length) {
      switch (this.state) {
        case State.start:
          if (this.brokenBy !== undefined) return;
          this.frame.start = at;
          this.midFrame = true;
          if (chunk[at] === asterisk) {
            at++;
            this.expectNumber(State.count);
          } else {
            this.state = State.inline;
          }
          break;
        case State.inline: {
          const lineEnd = chunk.indexOf(newline, at);
          if (lineEnd === -1) return;
          at = lineEnd + 1;
          this.finish(at);
          break;
        }
        case State.count:
          at = this.readNumber(chunk, at);
          if (at < 0) return;
          if (!this.numberEnded) return;
          if (this.negative || this.number === 0) this.finish(at);
          else {
            this.argumentsLeft = this.number;
            this.state = State.dollar;
          }
          break;
        case State.dollar:
          if (chunk[at] !== dollar) {
            this.giveUp(`a request's argument starts with byte ${chunk[at]}, not $`);
            return;
          }
          at++;
          this.expectNumber(State.length);
          break;
        case State.length:
          at = this.readNumber(chunk, at);
          if (at < 0) return;
          if (!this.numberEnded) return;
          if (this.negative) {
            this.giveUp("a request's argument has a negative length");
            return;
          }
          this.bytesLeft = this.number + 2;
          this.state = State.body;
          break;
        case State.body: {
          const step = Math.min(this.bytesLeft, length - at);
          at += step;
          this.bytesLeft -= step;
          if (this.bytesLeft > 0) return;
          if (--this.argumentsLeft === 0) this.finish(at);
          else this.state = State.dollar;
          break;
        }
      }
    }
  }

  private finish(end: number): void {
    this.state = State.start;
    this.complete(end, this.onRequest);
  }

  private numberEnded = false;

  private expectNumber(state: State): void {
    this.state = state;
    this.number = 0;
    this.negative = false;
    this.numberEnded = false;
  }

  /** Reads digits up to the end of the line; returns where it stopped, or -1 if the line is no number. */
  private readNumber(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at++] as number;
      if (byte >= zero && byte <= nine) this.number = this.number * 10 + (byte - zero);
      else if (byte === newline) {
        this.numberEnded = true;
        return at;
      } else if (byte === minus) this.negative = true;
      else if (byte !== carriageReturn) {
        this.giveUp(`a request's length has byte ${byte} where a digit was expected`);
        return -1;
      }
    }
    return at;
  }
}

type State = (typeof State)[keyof typeof State];
const State = { start: 0, inline: 1, count: 2, dollar: 3, length: 4, body: 5 } as const;

const asterisk = 0x2a;
const dollar = 0x24;
const newline = 0x0a;
const carriageReturn = 0x0d;
const zero = 0x30;
const nine = 0x39;
const minus = 0x2d;
