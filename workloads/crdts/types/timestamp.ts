/**
 * A timestamp of a hybrid logical clock.
 * Source: S. Kulkarni, M. Demirbas, D. Madappa, B. Avva, M. Leone: Logical Physical Clocks (OPODIS 2014).
 */
export interface Timestamp {
  /** Greatest wall clock seen, in ms since the epoch. */
  readonly l: number;
  /** Counts the events that share `l`. */
  readonly c: number;
  /** The region that issued it. */
  readonly node: string;
}

/** Order of timestamps: `l`, then `c`, then the node by UTF-16 code unit. Negative, 0 or positive. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  if (a === b) return 0;
  if (a.l !== b.l) return a.l < b.l ? -1 : 1;
  if (a.c !== b.c) return a.c < b.c ? -1 : 1;
  if (a.node === b.node) return 0;
  return a.node < b.node ? -1 : 1;
}

/** As the lesson and the reports print it: `(220000,2,cai)`. */
export function formatTimestamp({ l, c, node }: Timestamp): string {
  return `(${l},${c},${node})`;
}
