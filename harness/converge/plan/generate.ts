import { EVENT_KINDS, EVENT_WEIGHTS, type EventKind, HEAD, HEADER, STRIDE } from "./event.ts";
import { Random } from "./random.ts";

export interface GeneratorOptions {
  seed: number;
  minEvents: number;
  maxEvents: number;
  /** How many pools of keys and elements the adapter's fields have. */
  pools: number;
  /** Kinds that this adapter can do. */
  kinds: ReadonlySet<EventKind>;
}

/** Makes schedules by index. The same options and index always give the same integers. */
export class Generator {
  private readonly random = new Random();
  private readonly table: Uint8Array;
  private readonly buffer: Int32Array;
  private readonly options: GeneratorOptions;

  constructor(options: GeneratorOptions) {
    this.options = options;
    this.table = weightTable(options.kinds);
    this.buffer = new Int32Array(HEADER + STRIDE * options.maxEvents);
  }

  /**
   * The schedule with this index. The array is a view on a buffer that the next call overwrites: copy what is to stay.
   */
  generate(index: number): Int32Array {
    const { random, buffer, table } = this;
    const { seed, minEvents, maxEvents, pools } = this.options;
    random.seed(seed, index);
    buffer[HEAD.pool] = random.below(pools);
    buffer[HEAD.finish] = random.next() & 0xffff;
    buffer[HEAD.deep] = random.next() & 0xffff;
    buffer[HEAD.random] = random.next() & 0xffff;
    const events = minEvents === maxEvents ? maxEvents : minEvents + random.below(maxEvents - minEvents + 1);
    const end = HEADER + STRIDE * events;
    for (let at = HEADER; at < end; at += STRIDE) {
      const bits = random.next();
      buffer[at] = table[bits & 0xff]!;
      buffer[at + 1] = (bits >>> 8) & 0xff;
      buffer[at + 2] = (bits >>> 16) & 0xff;
      buffer[at + 3] = bits >>> 24;
    }
    return end === buffer.length ? buffer : buffer.subarray(0, end);
  }
}

/** 256 entries, so that eight random bits choose a kind. */
function weightTable(kinds: ReadonlySet<EventKind>): Uint8Array {
  const possible = EVENT_KINDS.filter((kind) => kinds.has(kind));
  const sum = possible.reduce((total, kind) => total + EVENT_WEIGHTS[kind], 0);
  const table = new Uint8Array(256);
  let filled = 0;
  let weight = 0;
  for (const kind of possible) {
    weight += EVENT_WEIGHTS[kind];
    const end = Math.round((256 * weight) / sum);
    table.fill(EVENT_KINDS.indexOf(kind), filled, end);
    filled = end;
  }
  return table;
}
