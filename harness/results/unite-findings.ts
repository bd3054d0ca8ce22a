import type { LockResult } from "./lock-schema.ts";

type Findings = LockResult["findings"];

/** Findings of several runs: one for each arm, check and class, counted together, with the first one's evidence. */
export function uniteFindings(lists: readonly Findings[]): Findings {
  const united = new Map<string, Findings[number]>();
  for (const finding of lists.flat()) {
    const key = [finding.arm, finding.check, finding.class, finding.inherent === true].join("\n");
    const known = united.get(key);
    united.set(key, known === undefined ? finding : { ...known, count: known.count + finding.count });
  }
  return [...united.values()];
}
