import type { Shard } from "../../results/shards.ts";

/** How many of the schedules 0 to `schedules` - 1 are this shard's: those whose index is `index` modulo `count`. */
export const share = (schedules: number, { index, count }: Shard): number =>
  Math.max(0, Math.ceil((schedules - index) / count));
