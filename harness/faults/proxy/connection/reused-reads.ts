import type { OnReadOpts } from "node:net";

/** Who takes what was read. */
export interface ReadTaker {
  /** False: it may keep what it is given, for as long as it likes. */
  readonly passesOn: boolean;
  receive(chunk: Buffer): void;
  /** After `receive`: something still needs the memory of the last chunk. */
  readonly keepsChunk: boolean;
}

/**
 * Has a socket read into the same memory again and again, past Node's streams: most replies are a few bytes and are passed
 * on at once. Memory that is still needed after a read is not used again; small pieces that wait are copied, so that they
 * do not hold on to all of it.
 */
export class ReusedReads {
  taker: ReadTaker | undefined;
  private memory = Buffer.allocUnsafeSlow(readBytes);

  readonly onread: OnReadOpts = {
    buffer: () => {
      if (this.taker?.keepsChunk) this.memory = Buffer.allocUnsafeSlow(readBytes);
      return this.memory;
    },
    callback: (length, buffer) => {
      const { taker } = this;
      if (!taker) return true;
      const chunk = (buffer as Buffer).subarray(0, length);
      taker.receive(taker.passesOn ? chunk : Buffer.from(chunk));
      return true;
    },
  };
}

/** What Node itself reads at most at a time. */
const readBytes = 64 * 1024;
