/** What decides the schedules of a campaign, and how they are judged. Everything random follows from it. */
export interface CampaignPlan {
  seed: number;
  regions: number;
  /** Events per schedule: drawn between these. */
  minEvents: number;
  maxEvents: number;
  /** Every oracle always. */
  all: boolean;
  /** Deep oracles in one of so many schedules; undefined: as the style of the adapter says. */
  deepEvery?: number;
}

export const DEEP_EVERY = { immutable: 16, mutable: 20 } as const;

/** `--ops N` gives schedules of two to four thirds of N events: longer ones show rare faults, shorter ones are quicker. */
export function eventRange(ops: number): { minEvents: number; maxEvents: number } {
  return { minEvents: Math.max(1, Math.round((ops * 2) / 3)), maxEvents: Math.max(1, Math.round((ops * 4) / 3)) };
}

/** How many failures per oracle are reported, those with the lowest index. */
export const FAILURES_PER_ORACLE = 10;
