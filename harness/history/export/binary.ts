import { gunzipSync, gzipSync } from "node:zlib";
import type { HistoryEvent } from "../../contracts/history.ts";
import { messageOf, UsageError } from "../../errors.ts";
import { historyEventSchema, historyHeaderSchema } from "../event-schema.ts";
import type { ExportFormat, WholeHistory } from "./format.ts";

/**
 * A history in about a tenth of its room. `HFB1`, then, compressed by gzip: the header as JSON (empty without one), the
 * number of events, and the events. Each has a set of bits that says which fields it has, and then those, in the order of
 * FIELDS: times as the difference from the one before, other numbers as varints or doubles, strings by their number in a
 * table that grows as they come up, and all else as JSON.
 */
export const binary: ExportFormat = {
  name: "binary",
  summary: "A tenth of the room; check and export read it where history.ndjson is not there",
  file: "history.hfb",
  write: encodeHistory,
};

const MAGIC = "HFB1";
const INTEGERS = ["round", "worker", "incarnation", "attempt", "fencingToken"] as const;
const DOUBLES = ["wallMs", "validUntilMs"] as const;
const STRINGS = ["arm", "op", "phase", "execution", "key", "job", "token", "outcome", "error"] as const;
const FIELDS = [...INTEGERS, ...DOUBLES, ...STRINGS] as const;
const KNOWN: ReadonlySet<string> = new Set(["atNs", ...FIELDS]);
/** After the bits of FIELDS: there is more, as JSON. */
const REST_BIT = FIELDS.length;
/** The time itself, where the difference is too great for a number to hold it exactly. */
const ABSOLUTE_BIT = REST_BIT + 1;

export function encodeHistory({ header, events }: WholeHistory): Uint8Array {
  const out = new Writer();
  out.text(header === undefined ? "" : JSON.stringify(header));
  out.varint(events.length);
  let beforeNs = 0;
  for (const event of events) {
    const record = event as unknown as Record<string, unknown>;
    const rest = Object.fromEntries(
      Object.entries(record).filter(([name, value]) => value !== undefined && !fits(name, value)),
    );
    const hasRest = Object.keys(rest).length > 0;
    let bits = hasRest ? 2 ** REST_BIT : 0;
    FIELDS.forEach((name, bit) => {
      if (record[name] !== undefined && !(name in rest)) bits += 2 ** bit;
    });
    const isNear = Number.isSafeInteger(event.atNs - beforeNs);
    if (!isNear) bits += 2 ** ABSOLUTE_BIT;
    out.varint(bits);
    out.signed(isNear ? event.atNs - beforeNs : event.atNs);
    beforeNs = event.atNs;
    const has = (name: string) => record[name] !== undefined && !(name in rest);
    for (const name of INTEGERS) if (has(name)) out.signed(record[name] as number);
    for (const name of DOUBLES) if (has(name)) out.double(record[name] as number);
    for (const name of STRINGS) if (has(name)) out.shared(record[name] as string);
    if (hasRest) out.shared(JSON.stringify(rest));
  }
  return Buffer.concat([Buffer.from(MAGIC, "latin1"), gzipSync(out.bytes())]);
}

/** @throws UsageError for bytes that are no history */
export function decodeHistory(bytes: Uint8Array, source: string): WholeHistory {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (file.toString("latin1", 0, MAGIC.length) !== MAGIC) throw new Error(`it does not begin with ${MAGIC}`);
    const input = new Reader(gunzipSync(file.subarray(MAGIC.length)));
    const headerText = input.text();
    const header = headerText === "" ? undefined : historyHeaderSchema.parse(JSON.parse(headerText));
    const events: HistoryEvent[] = [];
    let atNs = 0;
    for (let left = input.varint(); left > 0; left--) {
      const bits = input.varint();
      const has = (bit: number) => Math.floor(bits / 2 ** bit) % 2 === 1;
      atNs = (has(ABSOLUTE_BIT) ? 0 : atNs) + input.signed();
      const event: Record<string, unknown> = { atNs };
      FIELDS.forEach((name, bit) => {
        if (!has(bit)) return;
        if (bit < INTEGERS.length) event[name] = input.signed();
        else if (bit < INTEGERS.length + DOUBLES.length) event[name] = input.double();
        else event[name] = input.shared();
      });
      if (has(REST_BIT)) Object.assign(event, JSON.parse(input.shared()));
      events.push(historyEventSchema.parse(event) as HistoryEvent);
    }
    return { header, events };
  } catch (error) {
    throw new UsageError(`${source} is no history that can be read: ${messageOf(error)}.`, {
      code: "BAD_HISTORY",
      cause: error,
    });
  }
}

/** A field whose value its column can hold; all others go to the rest. */
function fits(name: string, value: unknown): boolean {
  if (!KNOWN.has(name)) return false;
  if (name === "atNs" || (INTEGERS as readonly string[]).includes(name)) return Number.isSafeInteger(value);
  return typeof value === ((DOUBLES as readonly string[]).includes(name) ? "number" : "string");
}

class Writer {
  private buffer = Buffer.allocUnsafe(1 << 16);
  private size = 0;
  private readonly table = new Map<string, number>();

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.size);
  }

  /** Seven bits a byte, the least first. */
  varint(value: number): void {
    this.room(10);
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.size++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.size++] = rest;
  }

  /** The sign, then the size: doubling it to make room for the sign would lose a bit of the greatest. */
  signed(value: number): void {
    this.varint(value < 0 ? 1 : 0);
    this.varint(Math.abs(value));
  }

  double(value: number): void {
    this.room(8);
    this.buffer.writeDoubleLE(value, this.size);
    this.size += 8;
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.room(length);
    this.size += this.buffer.write(value, this.size);
  }

  shared(value: string): void {
    const known = this.table.get(value);
    this.varint(known ?? this.table.size);
    if (known !== undefined) return;
    this.table.set(value, this.table.size);
    this.text(value);
  }

  private room(bytes: number): void {
    if (this.size + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.size + bytes));
    this.buffer.copy(larger, 0, 0, this.size);
    this.buffer = larger;
  }
}

class Reader {
  private readonly buffer: Buffer;
  private at = 0;
  private readonly table: string[] = [];

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.buffer.readUInt8(this.at++);
      value += (byte % 0x80) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const sign = this.varint() === 1 ? -1 : 1;
    const value = this.varint();
    return value === 0 ? 0 : sign * value;
  }

  double(): number {
    this.at += 8;
    return this.buffer.readDoubleLE(this.at - 8);
  }

  text(): string {
    const length = this.varint();
    this.at += length;
    if (this.at > this.buffer.length) throw new Error("it ends in the middle");
    return this.buffer.toString("utf8", this.at - length, this.at);
  }

  shared(): string {
    const number = this.varint();
    if (number === this.table.length) this.table.push(this.text());
    const value = this.table[number];
    if (value === undefined) throw new Error("it names a text that was not given");
    return value;
  }
}
