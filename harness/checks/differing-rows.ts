import { groupBy } from "./arms.ts";
import type { RoundIndex } from "./round-index.ts";

/**
 * Documents that were written with different values. Of an idempotent job, whose value follows from the job alone, there
 * are none, however often it ran: that is what its state is unharmed by.
 */
export function differingRows(index: RoundIndex): string[] {
  const writes = index.witness.flatMap(({ outcome, detail }) =>
    outcome === "accepted" && typeof detail?.document === "string" && typeof detail.value === "number"
      ? [{ document: detail.document, value: detail.value }]
      : [],
  );
  return [...groupBy(writes, ({ document }) => document)]
    .filter(([, own]) => own.some(({ value }) => value !== own[0]!.value))
    .map(([document]) => document);
}
