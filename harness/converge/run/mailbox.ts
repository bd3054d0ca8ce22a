/** Where a message is. */
export const MESSAGE = { inFlight: 0, delivered: 1, lost: 2 } as const;

/**
 * Every message of a schedule, in flight or past, in the order sent. Numbers and masks in arrays that every schedule
 * uses again; only payloads and versions are the adapter's own.
 */
export class Mailbox {
  count = 0;
  readonly payload: unknown[] = [];
  /** The sender's version at the export, for types that have one. */
  readonly version: unknown[] = [];
  readonly state: Int32Array;
  readonly from: Int32Array;
  /** Which life of the sender, counted over its losses. */
  readonly fromLife: Int32Array;
  readonly to: Int32Array;
  /** The region that put it on the way: the sender, or who forwarded it. */
  readonly via: Int32Array;
  readonly encoding: Int32Array;
  /** Number among the messages of its sender, forwarded copies keep the original's. */
  readonly sequence: Int32Array;
  /** How often it was taken. */
  readonly taken: Int32Array;
  /** How many messages the receiver had taken when it took this one first. */
  readonly takenAt: Int32Array;
  /** The message that this one is a forwarded copy of, else -1. */
  readonly copyOf: Int32Array;
  /** Fingerprint at the export, in schedules that take them. */
  readonly print: Float64Array;
  /** Masks: the operations within; those that may be within; what they depend on; what the sender knew. */
  readonly carried: Int32Array;
  readonly possible: Int32Array;
  readonly needs: Int32Array;
  readonly knowledge: Int32Array;
  /** Numbers of the messages in flight, and of the past ones (delivered or lost), in order. */
  readonly inFlight: Int32Array;
  inFlightCount = 0;
  readonly past: Int32Array;
  pastCount = 0;
  words = 1;
  readonly capacity: number;

  constructor(capacity: number, maxWords: number) {
    this.capacity = capacity;
    this.state = new Int32Array(capacity);
    this.from = new Int32Array(capacity);
    this.fromLife = new Int32Array(capacity);
    this.to = new Int32Array(capacity);
    this.via = new Int32Array(capacity);
    this.encoding = new Int32Array(capacity);
    this.sequence = new Int32Array(capacity);
    this.taken = new Int32Array(capacity);
    this.takenAt = new Int32Array(capacity);
    this.copyOf = new Int32Array(capacity);
    this.print = new Float64Array(capacity);
    this.carried = new Int32Array(capacity * maxWords);
    this.possible = new Int32Array(capacity * maxWords);
    this.needs = new Int32Array(capacity * maxWords);
    this.knowledge = new Int32Array(capacity * maxWords);
    this.inFlight = new Int32Array(capacity);
    this.past = new Int32Array(capacity);
  }

  begin(words: number): void {
    this.words = words;
    this.count = 0;
    this.inFlightCount = 0;
    this.pastCount = 0;
  }

  /** A new message in flight; the caller fills in its masks. Returns its number. */
  post(from: number, fromLife: number, to: number, encoding: number, sequence: number, payload: unknown): number {
    const message = this.count++;
    this.payload[message] = payload;
    this.version[message] = undefined;
    this.state[message] = MESSAGE.inFlight;
    this.from[message] = from;
    this.fromLife[message] = fromLife;
    this.to[message] = to;
    this.via[message] = from;
    this.encoding[message] = encoding;
    this.sequence[message] = sequence;
    this.taken[message] = 0;
    this.takenAt[message] = 0;
    this.copyOf[message] = -1;
    this.inFlight[this.inFlightCount++] = message;
    return message;
  }

  /** A copy of a message, put on the way to another region by one that received it. */
  copy(original: number, via: number, to: number, payload: unknown): number {
    const { words } = this;
    const message = this.post(
      this.from[original]!,
      this.fromLife[original]!,
      to,
      this.encoding[original]!,
      this.sequence[original]!,
      payload,
    );
    this.version[message] = this.version[original];
    this.copyOf[message] = original;
    this.via[message] = via;
    for (let word = 0; word < words; word++) {
      this.carried[message * words + word] = this.carried[original * words + word]!;
      this.possible[message * words + word] = this.possible[original * words + word]!;
      this.needs[message * words + word] = this.needs[original * words + word]!;
      this.knowledge[message * words + word] = this.knowledge[original * words + word]!;
    }
    return message;
  }

  /** The message at this place among those in flight arrives or is lost. */
  takeOut(place: number, state: number): void {
    const message = this.inFlight[place]!;
    this.inFlightCount--;
    for (let at = place; at < this.inFlightCount; at++) this.inFlight[at] = this.inFlight[at + 1]!;
    this.state[message] = state;
    this.past[this.pastCount++] = message;
  }

  /** Drops references to what the adapter made. */
  clear(): void {
    this.payload.length = 0;
    this.version.length = 0;
  }
}
