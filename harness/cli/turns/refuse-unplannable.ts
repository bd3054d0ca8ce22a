import { tmpdir } from "node:os";
import { join } from "node:path";
import { equipped } from "./play-pairs.ts";
import { planRound, type Surroundings } from "./play-round.ts";
import type { Side } from "./side.ts";

/**
 * Has both sides resolved and planned before anything runs, so that an option or a lock that does not exist is refused
 * at once, whichever side it is on.
 * @throws UsageError or UnavailableError of the side
 */
export async function refuseUnplannable(
  { base, head, roundMs }: { base: Side; head: Side; roundMs: number },
  surroundings: Surroundings,
): Promise<void> {
  // Nothing is written by it: a plan that is only shown makes no folder.
  const folder = join(tmpdir(), "holdfast-planned");
  const plan = async (side: Side) =>
    await planRound({ side: await equipped(side, surroundings), seed: 1, roundMs, folder }, surroundings);
  const planned = await Promise.allSettled([plan(base), plan(head)]);
  for (const each of planned) if (each.status === "rejected") throw each.reason;
}
