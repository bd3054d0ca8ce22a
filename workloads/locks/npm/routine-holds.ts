import { atMost } from "./at-most.ts";

/** A hold of a library that runs the holder's routine and releases when it ends. */
export interface RoutineHold {
  /** Lets the routine end. */
  end(): void;
  /** Settles with the library's release. */
  ended: Promise<unknown>;
}

/** How long the libraries' releases may take when the lock closes, ms. */
const CLOSE_LIMIT_MS = 1_000;

/** Ends every routine that still runs, as the end of its process would not. */
export async function endAll(holds: ReadonlyMap<string, RoutineHold>): Promise<void> {
  const all = [...holds.values()];
  for (const hold of all) hold.end();
  await atMost(CLOSE_LIMIT_MS, Promise.allSettled(all.map(({ ended }) => ended)));
}
