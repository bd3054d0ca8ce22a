/**
 * One RESP frame as a framer hands it over: the part in the current chunk, and the slices of earlier chunks before it.
 * The framer reuses the object; nobody keeps it beyond the callback. Payloads are not copied unless `bytes` is read of a
 * frame that came in pieces.
 */
export class Frame {
  chunk: Buffer = empty;
  /** The frame's part in `chunk` is `[start, end)`. */
  start = 0;
  end = 0;
  /** What came before, in order. Complete only if the framer keeps whole frames. */
  earlier: Buffer[] = [];

  /** The frame in one piece. A large frame may be cut to its head unless the framer keeps whole frames. */
  get bytes(): Buffer {
    const last = this.chunk.subarray(this.start, this.end);
    return this.earlier.length === 0 ? last : Buffer.concat([...this.earlier, last]);
  }
}

/**
 * What both framers share: where the current frame began, and its slices in earlier chunks.
 *
 * A framer that does not keep whole frames keeps only the head of those that come in pieces: enough for the name and the
 * keys of a command, not its payload.
 */
export abstract class Framer {
  readonly frame = new Frame();
  /** True: every slice of an unfinished frame is kept, for someone who forwards whole frames only. */
  keepsWhole = false;
  /** Why framing was given up; from then on the stream is bytes. */
  brokenBy: string | undefined;
  /** True while a frame has begun and not ended. */
  midFrame = false;
  private earlierBytes = 0;

  /** Reads on. Calls back once per frame that ends in this chunk. */
  scan(chunk: Buffer): void {
    if (this.brokenBy !== undefined) return;
    this.frame.chunk = chunk;
    this.frame.start = 0;
    this.read(chunk);
    if (this.midFrame && this.brokenBy === undefined) this.keep(chunk.subarray(this.frame.start));
  }

  /** From here on the stream is bytes, as after PSYNC or in TLS. */
  giveUp(reason: string): void {
    this.brokenBy ??= reason;
    this.midFrame = false;
  }

  protected abstract read(chunk: Buffer): void;

  /** Ends the current frame at `end`; the next one starts there. */
  protected complete(end: number, emit: (frame: Frame) => void): void {
    const { frame } = this;
    frame.end = end;
    this.midFrame = false;
    emit(frame);
    frame.start = end;
    if (frame.earlier.length > 0) {
      frame.earlier = [];
      this.earlierBytes = 0;
    }
  }

  private keep(slice: Buffer): void {
    if (!this.keepsWhole && this.earlierBytes >= headBytes) return;
    this.frame.earlier.push(slice);
    this.earlierBytes += slice.length;
  }
}

const empty = Buffer.alloc(0);
const headBytes = 64 * 1024;
