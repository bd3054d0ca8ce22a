/** One figure for the usual benchmark actions, "custom smaller is better". */
export interface BenchmarkEntry {
  name: string;
  unit: string;
  value: number;
  range?: string;
  extra?: string;
}

export function renderEntries(entries: readonly BenchmarkEntry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** ± half of the spread of values. */
export function spread(values: readonly number[], digits = 3): string | undefined {
  if (values.length < 2) return undefined;
  return `± ${((Math.max(...values) - Math.min(...values)) / 2).toPrecision(digits)}`;
}
