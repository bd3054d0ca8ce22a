import { FAILURES_PER_ORACLE } from "./plan.ts";

/** How many schedules failed by each oracle, and the first few of them by index. However it is put together, the same. */
export class Found {
  private readonly byOracle = new Map<string, { count: number; first: number[] }>();

  add(oracle: string, index: number): void {
    this.put(oracle, 1, [index]);
  }

  take(other: FoundNumbers): void {
    for (const { oracle, count, first } of other) this.put(oracle, count, first);
  }

  private put(oracle: string, count: number, indices: readonly number[]): void {
    const entry = this.byOracle.get(oracle) ?? { count: 0, first: [] };
    this.byOracle.set(oracle, entry);
    entry.count += count;
    entry.first = [...entry.first, ...indices].sort((a, b) => a - b).slice(0, FAILURES_PER_ORACLE);
  }

  get total(): number {
    return [...this.byOracle.values()].reduce((sum, { count }) => sum + count, 0);
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.byOracle].map(([oracle, { count }]) => [oracle, count]).sort());
  }

  /** The failures to report, in the order of their index. */
  first(): readonly { oracle: string; index: number }[] {
    return [...this.byOracle]
      .flatMap(([oracle, { first }]) => first.map((index) => ({ oracle, index })))
      .sort((a, b) => a.index - b.index);
  }

  numbers(): FoundNumbers {
    return [...this.byOracle].map(([oracle, { count, first }]) => ({ oracle, count, first }));
  }
}

export type FoundNumbers = readonly { oracle: string; count: number; first: readonly number[] }[];
