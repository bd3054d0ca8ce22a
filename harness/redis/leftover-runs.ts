import type { Redis } from "ioredis";
import { deleteOwnKeys } from "./own-keys.ts";

/** Keys of a run that is over, or of one that still goes on: its keys alone do not tell. */
export interface LeftoverRun {
  /** `lock-20260131T120005Z-3f9a1c`. */
  run: string;
  keys: number;
}

export interface LeftoverSearch {
  runs: readonly LeftoverRun[];
  /** False: the time was up before every key was seen. */
  isWhole: boolean;
}

const RUN = /^[a-z]+-\d{8}T\d{6}Z-[0-9a-z]+$/;
const BATCH = 1_000;

/** Begins every key of a run. */
export const keyPrefixOf = (run: string) => `holdfast:${run}:`;

/** Is that what a run is called? */
export const isRunName = (text: string): boolean => RUN.test(text);

/** Looks through the client's database for keys of runs, the oldest run first. Keys that only begin alike are none. */
export async function findLeftoverRuns(
  client: Pick<Redis, "scan">,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<LeftoverSearch> {
  const endsAtMs = performance.now() + limitMs;
  const counts = new Map<string, number>();
  let cursor = "0";
  do {
    const [next, keys] = await client.scan(cursor, "MATCH", "holdfast:*", "COUNT", BATCH);
    cursor = next;
    for (const key of keys) {
      const run = key.split(":", 2)[1] ?? "";
      if (isRunName(run) && key.startsWith(keyPrefixOf(run))) counts.set(run, (counts.get(run) ?? 0) + 1);
    }
  } while (cursor !== "0" && performance.now() < endsAtMs);
  const runs = [...counts].map(([run, keys]): LeftoverRun => ({ run, keys }));
  return { runs: runs.sort((a, b) => startOf(a).localeCompare(startOf(b))), isWhole: cursor === "0" };
}

/** Removes the keys of one run, and no others. @returns how many there were */
export function removeLeftoverRun(client: Redis, run: string): Promise<number> {
  if (!isRunName(run)) throw new Error(`"${run}" is not the name of a run`);
  return deleteOwnKeys(client, keyPrefixOf(run));
}

const startOf = ({ run }: LeftoverRun): string => run.split("-")[1] ?? "";
