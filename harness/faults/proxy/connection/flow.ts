import type { Socket } from "node:net";
import type { Shaper } from "../network-fault.ts";
import type { Frame, Framer } from "../resp/frame.ts";
import { Outbox, type OutboxEnvironment, type Pin } from "./outbox.ts";
import type { ReadTaker } from "./reused-reads.ts";

/** What a flow asks its connection. */
export interface FlowOwner {
  /** Bytes were lost, or none wait any more. */
  flowChanged(): void;
}

/**
 * One direction of a connection: framer, shapers, outbox. While nothing is to be done to it, bytes are framed and
 * written as they come. Where faults look at frames, whole frames go on and nothing else.
 */
export abstract class Flow implements ReadTaker {
  bytes = 0;
  frames = 0;
  readonly outbox: Outbox;
  readonly framer: Framer;
  closeDelayMs = 0;
  /** The source has ended its stream. */
  hasEnded = false;
  /** Nothing to be done: bytes go straight through. */
  private isPlain = true;
  private cutsFrames = false;
  /** The unfinished frame has partly been passed on: the rest follows it. */
  private isPassing = false;
  private shapers: readonly Shaper[] = [];
  private pin: Pin | undefined;
  private nowMs = 0;
  private runStart = 0;
  private chunk: Buffer = noBytes;
  private isSourcePaused = false;
  private readonly source: Socket;
  private readonly sink: Socket;

  constructor(source: Socket, sink: Socket, owner: FlowOwner, environment: OutboxEnvironment) {
    this.source = source;
    this.sink = sink;
    this.framer = this.makeFramer((frame) => this.frameEnded(frame));
    this.outbox = new Outbox(
      (bytes) => this.write(bytes),
      () => {
        this.settleMode();
        this.resumeSource();
        owner.flowChanged();
      },
      environment,
    );
    sink.on("drain", () => this.resumeSource());
  }

  /** Bytes came from the source. */
  receive(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.beforeChunk();
    if (this.isPlain) {
      this.framer.scan(chunk);
      this.write(chunk);
    } else {
      this.nowMs = performance.now();
      if (this.cutsFrames && this.framer.brokenBy === undefined) this.cut(chunk);
      else {
        this.framer.scan(chunk);
        this.shape(chunk);
      }
      if (this.outbox.size > mostWaitingBytes) this.pauseSource();
    }
    this.afterChunk();
  }

  /** True: what it is given goes on within the call. */
  get passesOn(): boolean {
    return this.isPlain;
  }

  /** After a chunk: part of it waits, for the rest of its frame or in the sink. */
  get keepsChunk(): boolean {
    return this.framer.midFrame || this.sink.writableLength > 0;
  }

  /** The source has ended: the sink is ended once all before it is written. */
  end(): void {
    this.hasEnded = true;
    this.nowMs = performance.now();
    if (this.cutsFrames && !this.isPassing && this.framer.midFrame) this.passEarlier(this.framer.frame);
    const dueMs = this.closeDelayMs > 0 ? this.nowMs + this.closeDelayMs : 0;
    this.outbox.after(() => this.sink.end(), dueMs);
    this.settleMode();
  }

  setShapers(shapers: readonly Shaper[]): void {
    this.shapers = shapers;
    this.settleMode();
  }

  /** Whole frames only, from the next frame on; or bytes as they come. */
  setCutsFrames(cutsFrames: boolean): void {
    if (cutsFrames === this.cutsFrames) return;
    this.nowMs = performance.now();
    this.cutsFrames = cutsFrames;
    this.framer.keepsWhole = cutsFrames;
    if (cutsFrames) this.isPassing = this.framer.midFrame;
    else {
      if (!this.isPassing && this.framer.midFrame) this.passEarlier(this.framer.frame);
      this.isPassing = false;
    }
    this.settleMode();
  }

  settleMode(): void {
    this.isPlain = !this.cutsFrames && this.shapers.length === 0 && this.outbox.isOpen;
  }

  /** Passes bytes of the proxy's own, in the order of the stream. */
  insert(bytes: Buffer): void {
    this.nowMs = performance.now();
    this.shape(bytes);
    this.settleMode();
  }

  /** True while part of a frame has gone on and the rest has not come: nothing may be put in between. */
  get isMidFrame(): boolean {
    return this.framer.midFrame && (this.isPassing || !this.cutsFrames);
  }

  protected abstract makeFramer(onFrame: (frame: Frame) => void): Framer;
  /** Keeps the books on a frame that passes whatever it is. */
  protected abstract note(frame: Frame): void;
  /** Decides on a frame: true, it passes; false, it has been dealt with. */
  protected abstract decide(frame: Frame): boolean;
  protected beforeChunk(): void {}
  protected afterChunk(): void {}
  protected afterFrame(_frame: Frame): void {}

  /** Sends what was decided to pass before this frame, so that what is done now comes after it. */
  protected passUpTo(frame: Frame): void {
    this.passRun(frame.start);
    this.runStart = frame.end;
  }

  /** Sends a frame, on its own. */
  protected passFrame(frame: Frame): void {
    this.passEarlier(frame);
    this.shape(frame.chunk.subarray(frame.start, frame.end));
  }

  /** Sends a frame, but not before `afterMs` from now, or before the fault is over. */
  protected passPinned(frame: Frame, fault: object, afterMs: number): void {
    this.pin = { fault, untilMs: this.nowMs + afterMs };
    this.passFrame(frame);
    this.pin = undefined;
  }

  /** Sends bytes of the proxy's own at the place that has been reached. */
  protected insertHere(bytes: Buffer): void {
    this.shape(bytes);
  }

  /** Sends bytes of the proxy's own after this frame. */
  protected passAfter(frame: Frame, bytes: Buffer): void {
    this.passRun(frame.end);
    this.shape(bytes);
  }

  private frameEnded(frame: Frame): void {
    this.frames++;
    if (!this.cutsFrames || this.isPassing) {
      this.isPassing = false;
      this.note(frame);
    } else if (this.decide(frame)) {
      this.passEarlier(frame);
    }
    if (this.cutsFrames) this.afterFrame(frame);
  }

  private cut(chunk: Buffer): void {
    this.chunk = chunk;
    this.runStart = 0;
    this.framer.scan(chunk);
    const { framer } = this;
    if (framer.brokenBy !== undefined) {
      if (!this.isPassing && framer.frame.start <= this.runStart) this.passEarlier(framer.frame);
      this.passRun(chunk.length);
    } else {
      this.passRun(framer.midFrame && !this.isPassing ? framer.frame.start : chunk.length);
    }
    this.chunk = noBytes;
  }

  private passRun(end: number): void {
    if (end > this.runStart) this.shape(this.chunk.subarray(this.runStart, end));
    this.runStart = end;
  }

  private passEarlier(frame: Frame): void {
    for (const slice of frame.earlier) this.shape(slice);
  }

  private shape(bytes: Buffer): void {
    this.shapeFrom(0, bytes, this.nowMs);
  }

  private shapeFrom(index: number, bytes: Buffer, dueMs: number): void {
    const shaper = this.shapers[index];
    if (shaper) shaper(bytes, dueMs, (piece, pieceDueMs) => this.shapeFrom(index + 1, piece, pieceDueMs));
    else this.outbox.put(bytes, this.nowMs, dueMs, this.pin);
  }

  private write(bytes: Buffer): void {
    if (this.sink.destroyed || this.sink.writableEnded) return;
    if (!this.sink.write(bytes)) this.pauseSource();
  }

  private pauseSource(): void {
    this.isSourcePaused = true;
    this.source.pause();
  }

  private resumeSource(): void {
    if (!this.isSourcePaused || this.outbox.size > mostWaitingBytes / 2) return;
    if (this.sink.writableNeedDrain) return;
    this.isSourcePaused = false;
    this.source.resume();
  }
}

const noBytes = Buffer.alloc(0);
/** Beyond this a flow stops reading, and the sender's own buffers fill, as on a real network. */
const mostWaitingBytes = 8 * 1024 * 1024;
