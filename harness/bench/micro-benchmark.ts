/** One operation to be timed, again and again. */
export interface MicroBenchmark {
  /** Unique: group and name, such as `lock/set-nx`. */
  name: string;
  group: "lock" | "crdt" | "clock" | "measure" | "proxy";
  /** One sentence, without a full stop at the end: what is done once. */
  summary: string;
  unit: "µs" | "ns";
  /** Name of another of the same run that it is set against. */
  ratioTo?: string;
  /** Not run unless it is asked for by name. */
  onlyByName?: boolean;
  prepare(): Promise<PreparedBenchmark> | PreparedBenchmark;
}

export interface PreparedBenchmark {
  /**
   * Carries the operation out: once, and is timed from outside; or many times between preparations that do not count, and
   * gives the time of them together and their number.
   */
  run(): Promise<undefined> | Batch | undefined;
  /** What to know of the figure, as a sentence; asked at the end. */
  warning?(): string | undefined;
  close?(): Promise<void>;
}

export interface Batch {
  /** Of all the operations together, ms. */
  tookMs: number;
  operations: number;
}

/** Times `operations` calls. */
export function timeBatch(operations: number, once: (index: number) => void): Batch {
  const startMs = performance.now();
  for (let index = 0; index < operations; index += 1) once(index);
  return { tookMs: performance.now() - startMs, operations };
}
