import { nextToBegin, type Waiting } from "./next-to-begin.ts";

/** What is to become of an item that ran; undefined: it is over. */
export type Then = "again" | "at the end" | undefined;

export interface SideBySideOptions<Item> {
  /** How much may run at once, asked whenever something may begin. What is heavier than that runs alone. */
  capacity(): number;
  weightOf(item: Item): number;
  /** Gives `again` for an item that is to run once more, before those that wait, and `at the end` for one after them. */
  run(item: Item): Promise<Then>;
  /** Is something to begin later, though there is room for it? Gives when to ask again. Absent: never. */
  holdOff?(): Promise<void> | undefined;
  /** Aborted: nothing more is begun. */
  signal: AbortSignal;
}

/**
 * Runs items side by side, as many as the capacity allows, in their order; one that does not fit yet is overtaken by
 * those that do, but not for ever. Resolves when all that were begun have ended, and rejects with the first error.
 */
export async function runSideBySide<Item>(
  items: readonly Item[],
  { capacity, weightOf, run, holdOff, signal }: SideBySideOptions<Item>,
): Promise<void> {
  const again: Waiting<Item>[] = [];
  const first = items.map((item): Waiting<Item> => ({ item, overtaken: 0 }));
  const last: Waiting<Item>[] = [];
  const running = new Set<Promise<void>>();
  let used = 0;
  let failure: { error: unknown } | undefined;

  const begin = (item: Item) => {
    const weight = weightOf(item);
    used += weight;
    const ending = run(item)
      .then((then) => {
        if (then !== undefined) (then === "again" ? again : last).push({ item, overtaken: 0 });
      })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        used -= weight;
        running.delete(ending);
      });
    running.add(ending);
  };
  for (;;) {
    let later: Promise<void> | undefined;
    while (!signal.aborted && !failure) {
      later = running.size === 0 ? undefined : holdOff?.();
      if (later) break;
      const room = running.size === 0 ? Number.POSITIVE_INFINITY : capacity() - used;
      const queues = again.length + first.length > 0 ? [again, first] : [last];
      const next = nextToBegin(queues, room, weightOf);
      if (!next) break;
      begin(next);
    }
    if (running.size === 0) break;
    await Promise.race(later ? [...running, later] : running);
  }
  if (failure) throw failure.error;
}

/** Lets so many in at once; gives the function by which one leaves again, which may be called twice. */
export function createGate(places: number): () => Promise<() => void> {
  let free = places;
  const queue: (() => void)[] = [];
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = queue.shift();
      if (next) next();
      else free += 1;
    };
  };
}
