/** One figure of a benchmark: measured here, in this run, against its peer in the same run. */
export interface Figure {
  /** What is measured, in words. */
  name: string;
  /** Value with its unit, such as `0.21 ms` or `23,100 /s`. */
  measured: string;
  /** The peer and its value, where a peer is named. */
  peer?: string;
  /** measured / peer, or the value itself where the goal is absolute. */
  value: number;
  goal: { atMost: number } | { atLeast: number };
  /** Unit of `value` for the table: `x`, `ms`, ... */
  unit: string;
}

export interface Benchmark {
  name: string;
  /** One sentence: what runs, and how often. */
  method: string;
  run(): Promise<Figure[]>;
}

export function isMet({ value, goal }: Figure): boolean {
  return "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
