/** A stretch of time, ns. */
export interface Span {
  startNs: number;
  endNs: number;
}

/** How much of a stretch is covered by any of the others: the length of their union within it, ns. */
export function coveredNs({ startNs, endNs }: Span, others: readonly Span[]): number {
  const within = others
    .map((span) => ({ startNs: Math.max(span.startNs, startNs), endNs: Math.min(span.endNs, endNs) }))
    .filter((span) => span.endNs > span.startNs)
    .sort((a, b) => a.startNs - b.startNs);
  let covered = 0;
  let reached = startNs;
  for (const span of within) {
    covered += Math.max(0, span.endNs - Math.max(reached, span.startNs));
    reached = Math.max(reached, span.endNs);
  }
  return covered;
}
